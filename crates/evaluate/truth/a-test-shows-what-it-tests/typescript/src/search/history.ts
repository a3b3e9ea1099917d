/** Remembers filters that were typed; the newest filter first. */
export class SearchHistory {
  private filters: string[] = [];

  add(filter: string): void {
    this.filters = [filter, ...this.filters.filter((it) => it !== filter)].slice(0, 20);
  }
}
