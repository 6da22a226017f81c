"""What does not change from day to day: the operators, their ports, vessels, routes, fares and targets."""

SCHEMA = """
CREATE TABLE operators (
  operator_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  country_code TEXT NOT NULL
);
CREATE TABLE ports (
  port_code TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  local_name TEXT NOT NULL,
  berths INTEGER NOT NULL
);
CREATE TABLE vessels (
  vessel_id INTEGER PRIMARY KEY,
  operator_id INTEGER NOT NULL REFERENCES operators,
  name TEXT NOT NULL,
  built INTEGER NOT NULL,
  passenger_capacity INTEGER NOT NULL,
  car_capacity INTEGER NOT NULL,
  fuel TEXT NOT NULL -- 'diesel', 'hybrid' or 'electric'
);
CREATE TABLE routes (
  route_id INTEGER PRIMARY KEY,
  operator_id INTEGER NOT NULL REFERENCES operators,
  origin TEXT NOT NULL REFERENCES ports,
  destination TEXT NOT NULL REFERENCES ports,
  distance_nm REAL NOT NULL, -- nautical miles
  crossing_min INTEGER NOT NULL
);
CREATE TABLE fares (
  route_id INTEGER NOT NULL REFERENCES routes,
  ticket TEXT NOT NULL, -- 'adult', 'child', 'car'
  price_eur REAL NOT NULL
);
CREATE TABLE targets (
  operator_id INTEGER NOT NULL REFERENCES operators,
  measure TEXT NOT NULL, -- 'punctuality_pct', 'cancelled_pct', 'load_pct'
  target REAL NOT NULL
);
CREATE TABLE sailings (
  sailing_id INTEGER PRIMARY KEY,
  route_id INTEGER NOT NULL REFERENCES routes,
  vessel_id INTEGER NOT NULL REFERENCES vessels,
  direction TEXT NOT NULL, -- 'out' from the origin, 'back' to it
  departs_at TEXT NOT NULL, -- planned, local time, 'YYYY-MM-DD HH:MM'
  status TEXT NOT NULL, -- 'sailed' or 'cancelled'
  cancel_reason TEXT, -- 'wind', 'fog', 'technical', 'low demand'
  delay_min INTEGER, -- null when cancelled; punctual means 10 or less
  passengers INTEGER NOT NULL, -- on board
  cars INTEGER NOT NULL
);
CREATE TABLE freight (
  freight_id INTEGER PRIMARY KEY,
  sailing_id INTEGER NOT NULL REFERENCES sailings,
  commodity TEXT NOT NULL,
  weight_kg INTEGER NOT NULL,
  fee_eur INTEGER NOT NULL
);
CREATE TABLE bookings_daily (
  route_id INTEGER NOT NULL REFERENCES routes,
  day TEXT NOT NULL,
  booked_passengers INTEGER NOT NULL, -- reservations, whether they came on board or not
  no_shows INTEGER NOT NULL
);
CREATE TABLE bunkering (
  vessel_id INTEGER NOT NULL REFERENCES vessels,
  day TEXT NOT NULL,
  litres INTEGER NOT NULL,
  cost_eur INTEGER NOT NULL
);
CREATE TABLE maintenance_jobs (
  job_id INTEGER PRIMARY KEY,
  vessel_id INTEGER NOT NULL REFERENCES vessels,
  opened_on TEXT NOT NULL,
  closed_on TEXT, -- null while open
  component TEXT NOT NULL,
  cost_eur INTEGER NOT NULL,
  remark TEXT
);
CREATE TABLE complaints (
  complaint_id INTEGER PRIMARY KEY,
  route_id INTEGER NOT NULL REFERENCES routes,
  received_on TEXT NOT NULL,
  topic TEXT NOT NULL, -- 'delay', 'cancellation', 'cleanliness', 'booking', 'catering'
  days_to_reply INTEGER NOT NULL
);
"""

OPERATORS = [(1, "Norrsund Ferries", "SE"), (2, "Aktaia Seaways", "GR"), (3, "Greyheron Lines", "US")]

PORTS = [
    ("NSD", "Norrsund", "Norrsund", 4),
    ("YTH", "Ytterholm", "Ytterholm", 2),
    ("LSK", "Langskar", "Långskär", 1),
    ("GRH", "Granholm", "Granholm", 2),
    ("ORM", "Ormos", "Όρμος", 3),
    ("ALK", "Alkyona", "Αλκυόνα", 2),
    ("LEF", "Lefki Ammos", "Λευκή Άμμος", 1),
    ("AGK", "Agkathi", "Αγκάθι", 1),
    ("SAL", "Salt Harbor", "Salt Harbor", 3),
    ("HER", "Heron Landing", "Heron Landing", 2),
    ("CUT", "Cutter Cove", "Cutter Cove", 2),
    ("FAR", "Far Shoal", "Far Shoal", 1),
]

VESSELS = [
    (101, 1, "Ejder", 2011, 420, 90, "diesel"),
    (102, 1, "Tärna", 2019, 380, 76, "hybrid"),
    (103, 1, "Skrake", 1998, 240, 44, "diesel"),
    (104, 1, "Silvermås", 2024, 300, 60, "electric"),
    (201, 2, "Meltemi", 2008, 520, 110, "diesel"),
    (202, 2, "Ostria", 2015, 440, 96, "diesel"),
    (203, 2, "Maistros", 2022, 260, 40, "hybrid"),
    (204, 2, "Levantes", 2003, 310, 58, "diesel"),
    (301, 3, "Least Tern", 2013, 350, 64, "diesel"),
    (302, 3, "Marsh Wren", 2020, 300, 52, "hybrid"),
    (303, 3, "Osprey Point", 2006, 280, 48, "diesel"),
    (304, 3, "Night Heron", 2025, 320, 60, "electric"),
]

ROUTES = [
    (11, 1, "NSD", "YTH", 9.5, 45),
    (12, 1, "NSD", "LSK", 21.0, 95),
    (13, 1, "GRH", "YTH", 14.2, 65),
    (14, 1, "NSD", "GRH", 6.8, 35),
    (21, 2, "ORM", "ALK", 18.4, 80),
    (22, 2, "ORM", "LEF", 26.9, 120),
    (23, 2, "ALK", "AGK", 11.3, 50),
    (24, 2, "ORM", "AGK", 30.5, 135),
    (31, 3, "SAL", "HER", 7.2, 35),
    (32, 3, "SAL", "CUT", 15.6, 70),
    (33, 3, "CUT", "FAR", 12.1, 55),
]

TIMETABLE = {
    11: ((101, "07:00"), (102, "12:00"), (101, "17:30")),
    12: ((102, "08:30"), (104, "16:15")),
    13: ((103, "10:00"),),
    14: ((104, "07:45"), (103, "15:00")),
    21: ((201, "07:30"), (202, "13:00"), (201, "18:30")),
    22: ((202, "09:00"), (204, "15:30")),
    23: ((203, "11:15"),),
    24: ((204, "08:15"),),
    31: ((301, "06:40"), (302, "10:00"), (304, "14:00"), (301, "18:00")),
    32: ((303, "08:00"), (302, "16:30")),
    33: ((303, "12:30"),),
}
"""Vessel and hour of each daily departure from the origin; the vessel comes back three hours later."""

FARES = [
    (route, ticket, round(price * factor, 2))
    for route, price in {
        11: 9,
        12: 16,
        13: 11,
        14: 7,
        21: 14,
        22: 19,
        23: 10,
        24: 22,
        31: 8,
        32: 13,
        33: 12,
    }.items()
    for ticket, factor in (("adult", 1.0), ("child", 0.5), ("car", 2.75))
]

TARGETS = [
    (operator, measure, target)
    for operator, targets in {1: (92.0, 1.5, 55.0), 2: (90.0, 2.0, 60.0), 3: (94.0, 1.5, 58.0)}.items()
    for measure, target in zip(("punctuality_pct", "cancelled_pct", "load_pct"), targets, strict=True)
]
