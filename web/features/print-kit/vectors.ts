import type { Modules } from './drawing.ts'

/** Dark modules beside each other, in modules. */
export interface ModuleRun {
  x: number
  y: number
  length: number
}

/** The dark modules as runs, row by row. */
export const runsOf = (modules: Modules): ModuleRun[] =>
  modules.flatMap((row, y) =>
    row.flatMap((isDark, x) => {
      if (!isDark || row[x - 1]) return []
      const end = row.findIndex((later, at) => at > x && !later)
      return { x, y, length: (end < 0 ? row.length : end) - x }
    }),
  )

/** The product's symbol as in web/ui/Logo.tsx: its side, and its ring. */
export const symbolSide = 32
export const symbolRing =
  'M11 2h10a9 9 0 0 1 9 9v10a9 9 0 0 1-9 9H11a9 9 0 0 1-9-9V11a9 9 0 0 1 9-9Zm.5 4A5.5 5.5 0 0 0 6 11.5v9a5.5 5.5 0 0 0 5.5 5.5h9a5.5 5.5 0 0 0 5.5-5.5v-9A5.5 5.5 0 0 0 20.5 6Z'
