/** Downloads a file. */
export function saveFile(name: string, contents: Blob): void {
  const url = URL.createObjectURL(contents);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads the contents some time after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
