/** A line on a terminal that is drawn over itself, at most ten times a second; nothing anywhere else. */
export function progressLine(): (done: number, total: number, what: string) => void {
  if (!process.stderr.isTTY) return () => undefined;
  const width = 30;
  let drawn_ms = 0;
  return (done, total, what) => {
    if (done < total && performance.now() - drawn_ms < 100) return;
    drawn_ms = performance.now();
    const filled = total === 0 ? 0 : Math.floor((done / total) * width);
    const bar = '█'.repeat(filled).padEnd(width, '░');
    const counts = total === 0 ? '' : ` ${done.toLocaleString('en')} of ${total.toLocaleString('en')}`;
    process.stderr.write(`\r\x1b[K${bar}${counts} ${what}`);
    if (done === total && total > 0) process.stderr.write('\r\x1b[K');
  };
}
