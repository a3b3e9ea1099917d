import type { StorageBackend } from "./backend";

/** A storage backend in the browser: write writes to localStorage, read reads from it. */
export class LocalStorageBackend implements StorageBackend {
  constructor(private readonly prefix: string) {}

  async read(name: string): Promise<string | undefined> {
    return localStorage.getItem(this.prefix + name) ?? undefined;
  }

  async write(name: string, text: string, options?: { onlyIfAbsent?: boolean }): Promise<boolean> {
    if (options?.onlyIfAbsent && localStorage.getItem(this.prefix + name) !== null) {
      return false;
    }
    localStorage.setItem(this.prefix + name, text);
    return true;
  }
}
