import type { CSSProperties } from 'react'
import { useText } from '../../../lib/i18n.tsx'
import { states } from '../../../messages/en/states.ts'

const ratios = [1.5, 0.67, 1.5, 1.78, 0.8, 1.5, 1, 1.5, 0.67, 0.8, 1.5, 1.5]

/** The shape of a gallery that is on its way. */
export function GallerySkeleton() {
  return (
    <>
      <output className="sr">{useText({ states }).loading}</output>
      <div className="justified" aria-hidden="true">
        {ratios.map((ratio, at) => (
          // A fixed list; the ratio is a custom property.
          <div key={at} className="sk" style={{ '--r': ratio } as CSSProperties} />
        ))}
        <div className="justified__fill" />
      </div>
    </>
  )
}
