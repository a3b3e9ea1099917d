/** Keeps texts under names. */
export interface StorageBackend {
  read(name: string): Promise<string | undefined>;
  write(name: string, text: string, options?: { onlyIfAbsent?: boolean }): Promise<boolean>;
}
