/** How an amount is shown: format_amount of the server, in the browser. */
export function formatAmount(amount: number, currency: string): string {
  return `${amount.toFixed(2)} ${currency}`;
}

/** format_amount under its old name. */
export function format_amount(amount: number, currency: string): string {
  return formatAmount(amount, currency);
}
