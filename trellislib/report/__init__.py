"""Reports for readers who know none of the methods: one HTML file each, which loads nothing, or a PDF."""

from trellislib.report.comparison import comparison_report
from trellislib.report.pdf import as_pdf
from trellislib.report.verdict import verdict_report

__all__ = ["as_pdf", "comparison_report", "verdict_report"]
