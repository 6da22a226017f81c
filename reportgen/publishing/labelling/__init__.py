"""What people label turns with: a page and a workbook, with the rubric and the evidence, and no verdict."""
