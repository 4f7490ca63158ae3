import { useFormat, useText } from '../../lib/i18n.tsx'
import { printKit } from '../../messages/en/print-kit.ts'
import { states } from '../../messages/en/states.ts'
import type { PrintFormat } from './content.ts'
import type { Drawing, PictureName } from './drawing.ts'
import { codesOf, scanDistance } from './layout.ts'
import { Sheet } from './Sheet.tsx'

interface Props {
  drawing: Drawing
  pictures: Readonly<Partial<Record<PictureName, HTMLImageElement>>>
  format: PrintFormat
  photoName: string
}

/** What is printed: the print dialog prints this very element. */
export function Preview({ drawing, pictures, format, photoName }: Props) {
  const text = useText({ printKit })
  const number = useFormat()
  const { width, distance } = scanDistance(drawing)
  const size = codesOf(drawing).length === 2 ? text.preview.two : text.preview.one
  const urls = Object.fromEntries(Object.entries(pictures).map(([name, image]) => [name, image.src]))
  return (
    <section className="print-kit__view" aria-label={text.preview.label}>
      <div className={`print-kit__desk print-kit__desk--${format}`} translate="no">
        <Sheet drawing={drawing} pictures={urls} label={text.preview.alt(text.formats[format], photoName)} />
      </div>
      <p className="tiny muted tabular-numbers print-kit__size">
        {format === 'four' ? text.preview.cut : size(number.count(width), number.count(distance))}
      </p>
    </section>
  )
}

export function PreviewSkeleton() {
  return (
    <section className="print-kit__view">
      <div className="print-kit__desk print-kit__desk--card">
        <span className="skeleton print-kit__skeleton" aria-hidden="true" />
      </div>
      <p className="tiny print-kit__size" aria-hidden="true">
        {'\u00A0'}
      </p>
      <output className="visually-hidden">{useText({ states }).loading}</output>
    </section>
  )
}
