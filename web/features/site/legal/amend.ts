import type { LegalBlock, LegalContext, LegalText } from './legal-text.ts'

type Row = readonly string[]
/** New paragraphs, and rows of tables in place of one, each by the beginning of the old paragraph or row. */
export type Amendments = Readonly<Record<string, string | readonly Row[]>>

/** The text of a version that differs from the one before in a few paragraphs and rows. */
export function amend(before: LegalText, amendmentsOf: (context: LegalContext) => Amendments): LegalText {
  const amendBlock = (block: LegalBlock, amendments: [string, string | readonly Row[]][]): LegalBlock => {
    if (typeof block === 'string')
      return (
        amendments.flatMap(([start, now]) => (typeof now === 'string' && block.startsWith(start) ? now : []))[0] ??
        block
      )
    if (!('table' in block)) return block
    const rows = block.table.rows.flatMap((row) => {
      const found = amendments.find(([start, now]) => typeof now !== 'string' && row[0]?.startsWith(start))
      return found && typeof found[1] !== 'string' ? found[1] : [row]
    })
    return { table: { ...block.table, rows } }
  }
  return {
    ...before,
    sections: before.sections.map((section) => ({
      ...section,
      blocks: (context) => {
        const amendments = Object.entries(amendmentsOf(context))
        return section.blocks(context).map((block) => amendBlock(block, amendments))
      },
    })),
  }
}
