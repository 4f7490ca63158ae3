import danceLarge from '../../pictures/dance-1200.webp'
import danceSmall from '../../pictures/dance-720.webp'
import tableLarge from '../../pictures/table-1200.webp'
import tableSmall from '../../pictures/table-720.webp'
import topperLarge from '../../pictures/topper-1200.webp'
import topperSmall from '../../pictures/topper-720.webp'

/** The example photos of the home page. */
export const examples = [
  { name: 'table', small: tableSmall, large: tableLarge, meta: 'KS-0412 · 22:41' },
  { name: 'topper', small: topperSmall, large: topperLarge, meta: 'KS-0413 · 22:43' },
  { name: 'dance', small: danceSmall, large: danceLarge, meta: 'KS-0414 · 22:44' },
] as const
export type Example = (typeof examples)[number]

export const exampleSrcSet = ({ small, large }: Example) => `${small} 720w, ${large} 1200w`
/** The width of the photo on the page, from which the browser chooses one of the two files. */
export const exampleSizes = '(min-width: 62rem) 38rem, min(40rem, 92vw)'
