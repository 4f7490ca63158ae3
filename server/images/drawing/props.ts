import type { FigurePart } from './heads.ts'
import type { Point } from './outlines.ts'

export type PropName = 'flute' | 'cocktail' | 'phone' | 'bouquet' | 'sparkler'

const rays = Array.from({ length: 22 }, (_, n) => {
  const [angle, length] = [(n / 22) * 2 * Math.PI, 4 + ((n * 7) % 5) * 1.3]
  return `<path d="M0-19L${(Math.cos(angle) * length).toFixed(1)} ${(Math.sin(angle) * length - 19).toFixed(1)}" stroke="#fff1c9" stroke-width=".45"/>`
}).join('')

/** What somebody holds; the hand is at 0, 0. */
const props: Record<PropName, readonly FigurePart[]> = {
  flute: [
    ['prop', '<path d="M-1.9-15C-2.1-9-1.4-5.4-.3-4.2V2H.3V-4.2C1.4-5.4 2.1-9 1.9-15Z"/>'],
    [
      'glow',
      '<path d="M-1.8-12.6C-1.8-8.6-1.2-5.6 0-4.6C1.2-5.6 1.8-8.6 1.8-12.6Z" fill="#ffd98c" fill-opacity=".85"/>',
    ],
  ],
  cocktail: [
    ['prop', '<path d="M-4.6-10.4L-.3-4.4V3H.3V-4.4L4.6-10.4Z"/>'],
    ['glow', '<path d="M-3.6-9.2L0-4.6L3.6-9.2Z" fill="#ff9d8a" fill-opacity=".9"/>'],
  ],
  phone: [
    ['prop', '<rect x="-3" y="-8.4" width="6" height="11" rx="1"/>'],
    ['glow', '<rect x="-2.4" y="-7.6" width="4.8" height="8.6" rx=".5" fill="#dcecff" fill-opacity=".92"/>'],
  ],
  bouquet: [
    ['prop', '<path d="M-1-1L-.6 6H.6L1-1Z"/><circle cy="-5" r="5.4"/>'],
    [
      'glow',
      '<g fill="#ffd9d4" fill-opacity=".75"><circle cx="-2.6" cy="-6" r="2.2"/><circle cx="2.4" cy="-6.6" r="2.3"/><circle cy="-3.2" r="2.2"/><circle cx="-.2" cy="-8.4" r="1.7"/></g>',
    ],
  ],
  sparkler: [
    ['prop', '<path d="M-.3 2L-.2-18H.2L.3 2Z"/>'],
    [
      'glow',
      `<circle cy="-19" r="10" fill="#ffd27a" fill-opacity=".22"/>${rays}<circle cy="-19" r="1.7" fill="#fffbe8"/>`,
    ],
  ],
}

/** Something in a hand. */
export const prop = (name: PropName, [x, y]: Point): FigurePart[] =>
  props[name].map(([role, shape]) => [
    role,
    `<g transform="translate(${x.toFixed(2)} ${(y - 2).toFixed(2)})">${shape}</g>`,
  ])
