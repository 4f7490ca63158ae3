import type { CSSProperties } from 'react'
import { useText } from '../../../lib/i18n.tsx'
import { states } from '../../../messages/en/states.ts'

const aspectRatios = [1.5, 0.67, 1.5, 1.78, 0.8, 1.5, 1, 1.5, 0.67, 0.8, 1.5, 1.5]

/** Shown while the gallery is loading. */
export function GallerySkeleton() {
  return (
    <>
      <output className="visually-hidden">{useText({ states }).loading}</output>
      <div className="justified" aria-hidden="true">
        {aspectRatios.map((ratio, index) => (
          // The list is fixed, so the index is a stable key. The ratio is a custom property.
          <div key={index} className="skeleton" style={{ '--aspect-ratio': ratio } as CSSProperties} />
        ))}
        <div className="justified__fill" />
      </div>
    </>
  )
}
