/** What is drawn of a figure, from back to front, without a colour of its own. */
export type FigurePart = readonly [role: Role, shape: string]
export type Role = 'skin' | 'hair' | 'top' | 'bottom' | 'shirt' | 'prop' | 'glow'

/** Where a face looks: to the viewer, to one side, or to the light behind. */
export type Facing = 'front' | 'left' | 'right' | 'away'
export const hairStyles = ['short', 'crop', 'long', 'waves', 'bob', 'bun', 'tail', 'curls'] as const
export type Hair = (typeof hairStyles)[number]

// Heads around 0, 0: 14 high. Profiles look to the right.
const face =
  '<path d="M0-6.9C3.5-6.9 4.8-4.1 4.7-.7C4.7 2.8 2.6 6.9 0 6.9C-2.6 6.9-4.7 2.8-4.7-.7C-4.8-4.1-3.5-6.9 0-6.9Z"/>' +
  '<ellipse cx="-4.8" cy=".5" rx=".9" ry="1.6"/><ellipse cx="4.8" cy=".5" rx=".9" ry="1.6"/>'
const profile =
  '<path d="M-4.9-1.5C-5-5.2-2-7.1 1.2-6.9C3.7-6.7 4.9-4.7 4.6-2.7C4.6-1.9 5-1.4 5.7-.2C6.2 .6 6.3 1 5.7 1.3C5.3 1.4 5.1 1.6 5.2 2' +
  'C5.5 2.5 5.4 2.8 5 3C5.3 3.4 5.2 3.9 4.8 4.1C4.9 5.6 4.4 6.6 3 6.6C1.6 6.6 .4 5.8-.4 5L-2.8 7C-4.2 4.6-4.8 2-4.9-1.5Z"/>'
const fringe =
  'M-5.2 .4C-6.2-5.6-3.7-8.1 .2-8.1C4.1-8.1 6.2-5.6 5.2 .4C4.9-1.8 4.3-3.3 3.1-3.9C.6-2.9-2.2-3.1-3.5-4.1C-4.4-3-4.9-1.6-5.2 .4Z'
const parted =
  'M-5.3 2.5C-6.6-5.6-3.8-8.4 .2-8.4C4.2-8.4 6.6-5.6 5.3 2.5C4.9-.6 3.9-3.4 1.2-5.2C-.4-2.9-3.9-1.2-5.3 2.5Z'
const profileCap =
  'M3.2-7.1C-.6-9.2-6.2-7-6-1.2C-5.8 2-5 4.3-3.6 4.6C-2.8 2.7-2.7 .8-1.3-.3C-.8-2.3 1.6-3.5 4.7-3.4C5-5.2 4.6-6.6 3.2-7.1Z'
const path = (d: string): string => `<path d="${d}"/>`
const circles = (...all: readonly (readonly [number, number, number])[]): string =>
  all.map(([x, y, r]) => `<circle cx="${x}" cy="${y}" r="${r}"/>`).join('')
const curls = circles([-4.6, -4, 3.4], [4.6, -4, 3.4], [0, -6.8, 4.2], [-3, -6.2, 3.6], [3, -6.2, 3.6])
const sideCurls = circles([-5.8, -0.6, 2.8], [5.8, -0.6, 2.8], [-5.4, 3, 2.3], [5.4, 3, 2.3])

/** Behind the face, and in front of it. */
const hair: Record<Hair, readonly [behind: string, before: string]> = {
  short: ['', path(fringe)],
  crop: ['', path('M-4.9-1C-5.8-5.6-3.5-7.6 0-7.6C3.5-7.6 5.8-5.6 4.9-1C4.4-3.6 3-4.8 0-4.8C-3-4.8-4.4-3.6-4.9-1Z')],
  long: [
    path(
      'M-5.6-2C-6.2-8-2.6-8.5 0-8.5C2.6-8.5 6.2-8 5.6-2C5.6 4 7.6 8.5 6.6 14C3.6 16-3.6 16-6.6 14C-7.6 8.5-5.6 4-5.6-2Z',
    ),
    path(parted),
  ],
  waves: [
    path(
      'M-5.6-2C-6.4-8-2.6-8.6 0-8.6C2.6-8.6 6.4-8 5.6-2C7.6 1 5.6 4 7.4 7C9 10 6 12 7 15C4 17 2 14.6 0 16C-2.6 14.4-4.4 17-7 14.6C-6 12-9 10-7.4 7C-5.6 4-7.6 1-5.6-2Z',
    ),
    path(parted),
  ],
  bob: [
    path(
      'M-5.6-2C-6.4-8-2.6-8.6 0-8.6C2.6-8.6 6.4-8 5.6-2C6.6 1.6 7 4.4 6.4 6.4C3.4 8-3.4 8-6.4 6.4C-7 4.4-6.6 1.6-5.6-2Z',
    ),
    path(fringe),
  ],
  bun: ['', path(fringe) + circles([0.8, -9.6, 3.1])],
  tail: [path('M2-7.6C9.4-9.4 12-2.6 10 6C9.3 8.6 7.6 9.4 7.4 7.2C8 2.6 7.2-2.4 3-4.4Z'), path(fringe)],
  curls: [sideCurls, curls],
}
const profileHair: Record<Hair, readonly [behind: string, before: string]> = {
  short: ['', path(profileCap)],
  crop: [
    '',
    path(
      'M3.2-7C-.6-8.6-5.6-6.6-5.4-1.2C-5.2 1-4.6 3-3.6 3.4C-3.2 1.4-2.8-.6-1.8-1.8C-.8-3.8 1.6-4.6 4.5-4.4C4.6-5.6 4.2-6.6 3.2-7Z',
    ),
  ],
  long: [path('M2-7.4C-3-8.6-7-5.6-6.6 1C-6.6 6-8.4 10-7 15C-4.6 16-2 14-1.6 10C-1.8 6-1.4 3-1-1Z'), path(profileCap)],
  waves: [
    path('M2-7.4C-3-8.8-7.4-5.6-6.8 0C-8.6 3-6.6 6-8.4 9C-9.2 12-6.6 15-4 14.6C-1.6 13-2.6 10-1.6 8C-2 5-1.2 3-1-1Z'),
    path(profileCap),
  ],
  bob: [path('M2-7.4C-3-8.8-7.2-5.6-6.8 0C-6.6 3-6.6 5-5.8 6.6C-3.6 7.2-1.4 6-.8 4C-.6 2-.8 1-1-1Z'), path(profileCap)],
  bun: ['', path(profileCap) + circles([-6.4, -4.4, 3])],
  tail: [path('M-3-6C-9.6-7.4-12-1.6-10.6 6C-10 8.4-8.6 8.6-8.4 6.8C-8.8 2.6-7.6-1-4.4-2.6Z'), path(profileCap)],
  curls: [
    circles([-5.6, 0.6, 3.2], [-5, 3.8, 2.6]),
    circles([-4.6, -3.6, 3.6], [-1.6, -6.4, 3.8], [1.8, -6.4, 3], [-4.8, -0.4, 3]),
  ],
}
/** The back of a head has hair all over. */
const crown = '<ellipse cx="0" cy="-.8" rx="5.2" ry="6.9"/>'

/** A head, turned around its chin by degrees. */
export function head(
  [x, y]: readonly [number, number],
  { style, facing, tilt }: { style: Hair; facing: Facing; tilt: number },
): { behind: FigurePart[]; before: FigurePart[] } {
  const isProfile = facing === 'left' || facing === 'right'
  const place = `translate(${x.toFixed(2)} ${y.toFixed(2)}) rotate(${tilt.toFixed(1)} 0 6)${facing === 'left' ? ' scale(-1 1)' : ''}`
  const placed = (role: Role, shape: string): FigurePart[] =>
    shape ? [[role, `<g transform="${place}">${shape}</g>`]] : []
  const [behind, before] = (isProfile ? profileHair : hair)[style]
  const skin = placed('skin', isProfile ? profile : face)
  if (facing === 'away') return { behind: [], before: [...skin, ...placed('hair', behind + crown + before)] }
  return { behind: placed('hair', behind), before: [...skin, ...placed('hair', before)] }
}
