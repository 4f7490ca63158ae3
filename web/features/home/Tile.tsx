import type { ReactNode } from 'react'

/** What a feature looks like, above its name and a sentence. */
export function Tile({ title, text, art }: { title: string; text: string; art: ReactNode }) {
  return (
    <li className="tile">
      <div className="tile__art" aria-hidden="true">
        {art}
      </div>
      <h3>{title}</h3>
      <p>{text}</p>
    </li>
  )
}
