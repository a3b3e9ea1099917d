/** How a card and its copy on the server differ. */
export enum SyncState {
  Clean,
  ChangedHere,
  ChangedThere,
  Conflict,
  MarkedForDeletion,
}
