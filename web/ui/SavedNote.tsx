import { Check, TriangleAlert } from 'lucide-react'
import type { PassingNote } from '../lib/passing-note.ts'

/** What became of a change, below the control; announced. */
export function SavedNote({ note }: { note: PassingNote | null }) {
  const Icon = note?.tone === 'bad' ? TriangleAlert : Check
  return (
    <output className="switch__note">
      {note && (
        <span className={note.tone === 'bad' ? 'saved saved--bad' : 'saved'}>
          <Icon className="i" />
          {note.text}
        </span>
      )}
    </output>
  )
}
