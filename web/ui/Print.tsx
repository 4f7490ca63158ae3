import type { ReactNode } from 'react'

interface Props {
  /** The image, or its placeholder. */
  photo: ReactNode
  line: string
  /** Name and time of the photo; not translated. */
  meta?: string
  /** The image of the QR code. `alt` is empty if the print is decoration. */
  code: { src: string; alt: string }
  /** Width divided by height of the photo's area. */
  ratio?: number
  className?: string
}

/** A photo above its QR code, as on a printed photo. White in both themes: its margin is the quiet zone of the code. */
export function Print({ photo, line, meta, code, ratio = 1.5, className }: Props) {
  return (
    <figure className={className ? `print ${className}` : 'print'}>
      <div className="print__photo" style={{ aspectRatio: ratio }}>
        {photo}
      </div>
      <figcaption className="print__strip">
        <div>
          <strong className="print__line">{line}</strong>
          {meta && (
            <span className="print__meta" translate="no">
              {meta}
            </span>
          )}
        </div>
        <img className="print__qr" src={code.src} alt={code.alt} width="41" height="41" />
      </figcaption>
    </figure>
  )
}
