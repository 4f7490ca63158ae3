import type { PrintedTexts } from '../../messages/printed-texts.ts'
import type { Modules, Shape } from './drawing.ts'

export const printFormats = ['card', 'four', 'poster'] as const
export type PrintFormat = (typeof printFormats)[number]

/** The paper of each format, in millimetres. */
export const paperOf = {
  card: { width: 105, height: 148 },
  four: { width: 210, height: 297 },
  poster: { width: 210, height: 297 },
} as const satisfies Record<PrintFormat, Shape>

/** Everything that one print shows. */
export interface PrintContent {
  photo: Shape
  /** The code of the photo. */
  code: Modules
  /** Whether the code leads to the request page. */
  byEmail: boolean
  /** The owner's logo, and whether it is too light for paper. */
  logo: (Shape & { onInk: boolean }) | null
  /** The owner's line; empty without one. */
  line: string
  /** The languages of the guests, one or two. */
  texts: readonly PrintedTexts[]
  wifi: { modules: Modules; network: string; password: string } | null
}
