// What the page remembers. Where nothing can be kept (a page from a file, a strict browser), it forgets.

export function recall(key: string): string | null {
  try {
    return localStorage.getItem(`foreword.${key}`);
  } catch {
    return null;
  }
}

export function remember(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`foreword.${key}`);
    else localStorage.setItem(`foreword.${key}`, value);
  } catch {
    // It was a convenience.
  }
}
