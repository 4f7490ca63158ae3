import codeDance from '../../pictures/code-dance.svg'
import codeTable from '../../pictures/code-table.svg'
import codeTopper from '../../pictures/code-topper.svg'
import danceLarge from '../../pictures/dance-1200.webp'
import danceSmall from '../../pictures/dance-720.webp'
import tableLarge from '../../pictures/table-1200.webp'
import tableSmall from '../../pictures/table-720.webp'
import topperLarge from '../../pictures/topper-1200.webp'
import topperSmall from '../../pictures/topper-720.webp'

/** The prints that take turns on the home page. Each code leads to an address that reads as its photo's. */
export const examples = [
  { name: 'table', small: tableSmall, large: tableLarge, code: codeTable, meta: 'KS-0412 · 22:41' },
  { name: 'topper', small: topperSmall, large: topperLarge, code: codeTopper, meta: 'KS-0413 · 22:43' },
  { name: 'dance', small: danceSmall, large: danceLarge, code: codeDance, meta: 'KS-0414 · 22:44' },
] as const
export type Example = (typeof examples)[number]

export const exampleWidths = ({ small, large }: Example) => `${small} 720w, ${large} 1200w`
/** How wide the photo stands, for the browser's choice between the two. */
export const exampleSizes = '(min-width: 62rem) 38rem, min(40rem, 92vw)'
