/** Shows uncaught errors at the most once a minute. */
export function showUncaught(root: HTMLElement): void {
  let last = 0;
  addEventListener("error", (event) => {
    if (event.timeStamp - last > 60000) {
      last = event.timeStamp;
      root.textContent = `Uncaught ${event.message}`;
    }
  });
}
