// Settings of the page in local storage. Where there is none (a page from a file, a strict browser), they are lost.

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
    // Settings are a convenience.
  }
}
