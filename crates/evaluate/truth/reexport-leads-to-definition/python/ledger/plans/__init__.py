"""Savings plans: Plan, plan_rows and plan_total."""

from ._instalments import plan_rows, plan_total
from ._plan import Plan

__all__ = ["Plan", "plan_rows", "plan_total"]
