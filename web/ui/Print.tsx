import type { ReactNode } from 'react'

interface Props {
  /** What lies in the photo's place: an image, or something that stands for one. */
  photo: ReactNode
  line: string
  /** Name and time of the photo: data, not a sentence. */
  meta?: string
  /** The code's image; `alt` empty when the print is decoration. */
  code: { src: string; alt: string }
  /** Width by height of the photo's place. */
  ratio?: number
  className?: string
}

/** A print with its code: white in every theme, its margin is the code's quiet zone. */
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
