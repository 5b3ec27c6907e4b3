/** The logo, and the picture of the sign-in page: strata with a fault through them. */
import { useId } from 'react';

const layers = [
  ['--strata-1', 'M-2-8H34V44H-2Z', 'M-2-8H34V44H-2Z'],
  ['--strata-2', 'M-2 11.7C6 9.5 26 13.9 34 11.7V44H-2Z', 'M-2 6.1C6 3.9 26 8.3 34 6.1V44H-2Z'],
  ['--strata-3', 'M-2 19.2C6 17 26 21.4 34 19.2V44H-2Z', 'M-2 13.6C6 11.4 26 15.8 34 13.6V44H-2Z'],
  ['--strata-4', 'M-2 26.7C6 24.5 26 28.9 34 26.7V44H-2Z', 'M-2 21.1C6 18.9 26 23.3 34 21.1V44H-2Z'],
] as const;

export function Mark({ size = 26 }: { size?: number }) {
  const id = useId();
  const side = (clip: string, which: 1 | 2) => (
    <g clipPath={`url(#${clip})`}>
      {layers.map(layer => (
        <path key={layer[0]} fill={`var(${layer[0]})`} d={layer[which]} />
      ))}
    </g>
  );
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <clipPath id={`${id}t`}>
        <rect x="2" y="2" width="28" height="28" rx="7" />
      </clipPath>
      <clipPath id={`${id}l`}>
        <path d="M0 0H19.5L11.1 32H0Z" />
      </clipPath>
      <clipPath id={`${id}r`}>
        <path d="M21.5 0H32V32H13.1Z" />
      </clipPath>
      <g clipPath={`url(#${id}t)`}>
        {side(`${id}l`, 1)}
        {side(`${id}r`, 2)}
      </g>
    </svg>
  );
}

export function Wordmark({ height = 21 }: { height?: number }) {
  return (
    <svg
      height={height}
      viewBox="0 0 71 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.1"
      role="img"
      aria-label="Terrane"
    >
      <path d="M0 5.05H11.4M5.7 4V19M13.15 13.8H21.45A4.15 4.15 0 1 0 20.57 16.35M25.05 19V8.6M25.05 13.05C25.05 10.65 26.95 9.65 29.35 9.65M31.75 19V8.6M31.75 13.05C31.75 10.65 33.65 9.65 36.05 9.65M46.75 8.6V19M46.75 13.8A4.15 4.15 0 1 0 38.45 13.8A4.15 4.15 0 1 0 46.75 13.8M50.95 19V8.6M50.95 12.9A3.25 3.25 0 0 1 57.45 12.9V19M61.25 13.8H69.55A4.15 4.15 0 1 0 68.67 16.35" />
    </svg>
  );
}

/** Where each stratum begins, in thousandths of the height, and the colour that it is made of. */
const strata = [
  [0.38, '--strata-1', 0.15],
  [0.47, '--strata-1', 0.35],
  [0.52, '--strata-1', 0.6],
  [0.61, '--strata-1', 0.85],
  [0.71, '--strata-1', 1],
  [0.745, '--strata-2', 0.45],
  [0.84, '--strata-2', 0.85],
  [0.865, '--strata-3', 0.55],
  [0.95, '--strata-3', 1],
  [1.04, '--strata-4', 1],
] as const;

export function Ground() {
  const id = useId();
  const side = (rise: number) =>
    strata.map(([top, colour, opacity], index) => {
      const y = 900 * (top - rise);
      const bend = index % 2 ? 9 : -9;
      const curve = `M-60 ${y}C150 ${y + bend} 330 ${y - 2 * bend} 480 ${y - bend}S720 ${y + bend} 780 ${y}V1100H-60Z`;
      return (
        <g key={top}>
          <path d={curve} fill="var(--ground)" />
          <path d={curve} fill={`var(${colour})`} opacity={opacity} />
        </g>
      );
    });
  return (
    <svg viewBox="0 0 700 900" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
      <clipPath id={`${id}l`}>
        <path d="M-60 0H452L296 900H-60Z" />
      </clipPath>
      <clipPath id={`${id}r`}>
        <path d="M457 0H780V900H301Z" />
      </clipPath>
      <g clipPath={`url(#${id}l)`}>{side(0)}</g>
      <g clipPath={`url(#${id}r)`}>{side(0.125)}</g>
    </svg>
  );
}
