export function archiveDialog(title: string): string {
  return `<dialog><CURSOR:>
}
