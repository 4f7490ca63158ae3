import { useText } from '../../lib/i18n.tsx'
import { apiDocs } from '../../messages/en/api-docs.ts'

export interface FieldRow {
  name: string
  type: string
  meaning: string
}

/** Parameters or fields, with their types. */
export function FieldTable({ label, rows }: { label: string; rows: readonly FieldRow[] }) {
  const { columns } = useText({ apiDocs }).call
  if (rows.length === 0) return null
  return (
    <table className="table api-table" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{columns.name}</th>
          <th scope="col">{columns.type}</th>
          <th scope="col">{columns.meaning}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, type, meaning }) => (
          <tr key={name}>
            <td>
              <code translate="no">{name}</code>
            </td>
            <td className="muted">{type}</td>
            <td lang="en">{meaning}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
