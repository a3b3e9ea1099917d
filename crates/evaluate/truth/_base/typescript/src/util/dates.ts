const DAY = 24 * 60 * 60 * 1000;

export function addDays(date: Date, days: number): Date {
  return new Date(date.getTime() + days * DAY);
}

export function startOfWeek(date: Date): Date {
  const weekday = (date.getDay() + 6) % 7;
  return addDays(new Date(date.getFullYear(), date.getMonth(), date.getDate()), -weekday);
}

export function formatDay(date: Date): string {
  return date.toISOString().slice(0, 10);
}
