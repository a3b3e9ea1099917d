/** How well text of one colour can be read on another, by luminance; 4.5 is enough. */
export function contrastOf(foreground: string, background: string): number {
  const luminance = (colour: string) => parseInt(colour.slice(1), 16) / 0xffffff;
  const [dark, light] = [luminance(foreground), luminance(background)].sort();
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}
