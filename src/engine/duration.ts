/** Formats seconds with about two digits: "8 s", "40 s", "4 min", "2 h 10 min". */
export function roughDuration(seconds: number): string {
  if (seconds < 10) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 95) return `${10 * Math.round(seconds / 10)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  if (minutes >= 1440) return `${Math.round(minutes / 60).toLocaleString("en-US")} h`;
  const tens = 10 * Math.round(minutes / 10);
  return tens % 60 === 0 ? `${tens / 60} h` : `${Math.floor(tens / 60)} h ${tens % 60} min`;
}

/** Formats seconds in the two largest units: "8 s", "3 min 20 s", "2 h 5 min". */
export function duration(seconds: number): string {
  const rounded = Math.max(0, Math.round(seconds));
  if (rounded < 60) return `${rounded} s`;
  if (rounded < 3600) return `${Math.floor(rounded / 60)} min ${rounded % 60} s`;
  return `${Math.floor(rounded / 3600)} h ${Math.floor((rounded % 3600) / 60)} min`;
}
