// Shows the times that the browser measured: of the page in every footer, of the naps on the clock page.
// Pages are complete without it; what it fills stays hidden until it has something to say.

const milliseconds = (value) => `${Math.round(value).toLocaleString('en')} ms`;

// Draws each nap as a bar between the first start and the last end, and returns the sum of all.
function drawNaps(naps) {
  const times = naps.map((nap) => ({ nap, start: Number(nap.dataset.start), end: Number(nap.dataset.end) }));
  const first = Math.min(...times.map((time) => time.start));
  const length = Math.max(...times.map((time) => time.end)) - first;
  for (const { nap, start, end } of times) {
    nap.style.setProperty('--from', (start - first) / length);
    nap.style.setProperty('--share', (end - start) / length);
  }
  return times.reduce((sum, { start, end }) => sum + (end - start) * 1000, 0);
}

function show(name, value) {
  for (const place of document.querySelectorAll(`[data-measure="${name}"]`)) place.textContent = milliseconds(value);
}

addEventListener('load', () => {
  const [page] = performance.getEntriesByType('navigation');
  if (!page) return;
  show('first', page.responseStart - page.requestStart);
  show('complete', page.responseEnd - page.requestStart);
  show('slept', drawNaps([...document.querySelectorAll('.nap[data-start]')]));
  for (const line of document.querySelectorAll('.measured')) line.hidden = false;
});
