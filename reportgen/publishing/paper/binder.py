"""What a child process does to bind the parts of a report to one PDF.

What comes out is archivable (PDF/A-3a) and accessible (PDF/UA-1), carries the report's data as attachments, and has the
same bytes for the same parts.
"""

import re
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import pikepdf

from reportgen.publishing.paper.bound_parts import (
    append_part,
    hang_outline,
    lead_links,
    read_anchors,
    set_anchors,
)
from reportgen.publishing.paper.page_numbers import number_pages
from reportgen.publishing.paper.pdf_bytes import mend_streams

_PRODUCER = re.compile(rb'pdf:Producer="[^"]*"')
_UA = (
    b'<rdf:Description xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/" rdf:about="" pdfuaid:part="1" />'
    b'<rdf:Description xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" '
    b'xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" '
    b'xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#" rdf:about="">'
    b'<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">'
    b"<pdfaSchema:schema>PDF/UA identification</pdfaSchema:schema>"
    b"<pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>"
    b"<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>"
    b'<pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource">'
    b"<pdfaProperty:name>part</pdfaProperty:name><pdfaProperty:valueType>Integer</pdfaProperty:valueType>"
    b"<pdfaProperty:category>internal</pdfaProperty:category>"
    b"<pdfaProperty:description>Part of ISO 14289 that the file conforms to</pdfaProperty:description>"
    b"</rdf:li></rdf:Seq></pdfaSchema:property>"
    b"</rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>"
)
"""Says in the metadata that the file is PDF/UA-1, and describes that property, which PDF/A does not know."""


def work(job: dict[str, Any]) -> dict[str, int]:
    """Writes the PDF that the job describes; gives its number of pages."""
    first, *others = job["parts"]
    pdf = pikepdf.open(first)
    anchors, bookmarks = read_anchors(pdf), []
    for path in others:
        added = append_part(pdf, pikepdf.open(path))
        anchors |= added.anchors
        bookmarks += added.bookmarks
    hang_outline(pdf, job["under"], bookmarks)
    lead_links(pdf, anchors)
    set_anchors(pdf, anchors)
    number_pages(pdf)
    _declare(pdf)
    _attach(pdf, job)
    _save(pdf, Path(job["made"]))
    return {"pages": len(pdf.pages)}


def _declare(pdf: pikepdf.Pdf) -> None:
    """Adds the claim of PDF/UA to the engine's metadata, and names the engine as the document information does."""
    metadata = pdf.Root.Metadata.read_bytes().replace(b"</rdf:RDF>", _UA + b"</rdf:RDF>")
    metadata = _PRODUCER.sub(b'pdf:Producer="%s"' % str(pdf.docinfo.Producer).encode(), metadata)
    pdf.Root.Metadata = pikepdf.Stream(pdf, metadata, Type=pikepdf.Name.Metadata, Subtype=pikepdf.Name.XML)


def _attach(pdf: pikepdf.Pdf, job: dict[str, Any]) -> None:
    """Puts the attachments into the PDF; their dates are those of the report."""
    moment = f"D:{datetime.fromisoformat(job['moment']):%Y%m%d%H%M%S}Z"
    associated = pikepdf.Array()
    for item in job["attachments"]:
        made = pikepdf.AttachedFileSpec(
            pdf,
            Path(item["path"]).read_bytes(),
            description=item["description"],
            filename=item["name"],
            mime_type="application/json",
            creation_date=moment,
            mod_date=moment,
            relationship=pikepdf.Name(f"/{item['relationship']}"),
        )
        pdf.attachments[item["name"]] = made
        associated.append(pdf.attachments[item["name"]].obj)
    if job["attachments"]:
        pdf.Root.AF = associated


def _save(pdf: pikepdf.Pdf, path: Path) -> None:
    made = BytesIO()
    pdf.save(
        made,
        object_stream_mode=pikepdf.ObjectStreamMode.generate,
        deterministic_id=True,
        fix_metadata_version=False,
    )
    path.write_bytes(mend_streams(made.getvalue()))
