import { type ReactNode, useId } from 'react'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { printKit } from '../../messages/en/branding.ts'
import { states } from '../../messages/en/frame.ts'
import {
  type Drawing,
  inks,
  type Item,
  type Modules,
  type PictureItem,
  type PictureName,
  runsOf,
  symbolRing,
  symbolSide,
  type TextItem,
} from './drawing.ts'
import { directionOf, hasTracking } from './sheet-text.ts'
import type { PrintFormat } from './sheet-parts.ts'
import { codesOf, scanDistance } from './sheet-layout.ts'

/** User units per millimetre: browsers round font sizes of only a few units. */
const unit = 10
const toUnits = (millimetres: number): number => Math.round(millimetres * unit * 100) / 100

interface Props {
  drawing: Drawing
  pictures: Readonly<Partial<Record<PictureName, string>>>
  /** What a screen reader says of it. */
  label: string
}

/** A drawing as a picture that stays sharp: the preview, and what the print dialog prints. */
function Sheet({ drawing: { width, height, items }, pictures, label }: Props) {
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an <img> has neither the fonts nor the pictures of the page
    <svg className="sheet" viewBox={`0 0 ${toUnits(width)} ${toUnits(height)}`} role="img" aria-label={label}>
      <rect width="100%" height="100%" fill={inks.paper} />
      <g aria-hidden="true">
        {items.map((item, n) => (
          <ItemOf key={`${n} ${item.kind}`} item={item} pictures={pictures} />
        ))}
      </g>
    </svg>
  )
}

const boxOf = ({ x, y, width, height }: { x: number; y: number; width: number; height: number }) => ({
  x: toUnits(x),
  y: toUnits(y),
  width: toUnits(width),
  height: toUnits(height),
})

function ItemOf({ item, pictures }: { item: Item; pictures: Props['pictures'] }): ReactNode {
  if (item.kind === 'text') return <TextOf item={item} />
  if (item.kind === 'filled') return <rect {...boxOf(item)} rx={toUnits(item.radius)} fill={item.colour} />
  if (item.kind === 'symbol') return <SymbolOf {...boxOf(item)} />
  if (item.kind === 'line') {
    const [[x1, y1], [x2, y2]] = [item.from, item.to]
    const ends = { x1: toUnits(x1), y1: toUnits(y1), x2: toUnits(x2), y2: toUnits(y2) }
    return <line {...ends} stroke={inks.cut} strokeWidth={toUnits(0.2)} />
  }
  if (item.kind === 'code') {
    const module = item.width / item.modules.length
    const place = `translate(${toUnits(item.x)} ${toUnits(item.y)}) scale(${module * unit})`
    return <path d={pathOf(item.modules)} transform={place} fill={inks.ink} shapeRendering="crispEdges" />
  }
  return <PictureOf item={item} url={pictures[item.name]} />
}

/** The whole picture, clipped to the part that is shown. */
function PictureOf({ item, url }: { item: PictureItem; url: string | undefined }) {
  const clip = useId()
  const { part, radius } = item
  const [width, height] = [item.width / part.width, item.height / part.height]
  const whole = { x: item.x - part.x * width, y: item.y - part.y * height, width, height }
  return (
    <>
      <clipPath id={clip}>
        <rect {...boxOf(item)} rx={toUnits(radius)} />
      </clipPath>
      <image href={url} {...boxOf(whole)} preserveAspectRatio="none" clipPath={`url(#${clip})`} />
    </>
  )
}

const anchors = { left: ['start', 'end'], middle: ['middle', 'middle'], right: ['end', 'start'] } as const

function TextOf({ item }: { item: TextItem }) {
  const { text, x, baseline, size, weight, colour, tracking = 0, align, isMono, language } = item
  const direction = directionOf(text)
  return (
    <text
      className={isMono ? 'sheet__mono' : undefined}
      x={toUnits(x)}
      y={toUnits(baseline)}
      fontSize={toUnits(size)}
      fontWeight={weight}
      fill={colour}
      letterSpacing={hasTracking ? toUnits(tracking * size) : undefined}
      direction={direction}
      textAnchor={anchors[align][direction === 'rtl' ? 1 : 0]}
      lang={language}
    >
      {text}
    </text>
  )
}

function SymbolOf(box: { x: number; y: number; width: number; height: number }) {
  return (
    <svg {...box} viewBox={`0 0 ${symbolSide} ${symbolSide}`}>
      <path fillRule="evenodd" fill={inks.ink} d={symbolRing} />
      <rect x="10" y="10" width="12" height="12" rx="4.6" fill={inks.accent} />
      <circle cx="18.7" cy="13.3" r="1.5" fill={inks.paper} />
    </svg>
  )
}

/** The runs of dark modules of each row. */
const pathOf = (modules: Modules): string =>
  runsOf(modules)
    .map(({ x, y, length }) => `M${x} ${y}h${length}v1h-${length}z`)
    .join('')

interface PreviewProps {
  drawing: Drawing
  pictures: Readonly<Partial<Record<PictureName, HTMLImageElement>>>
  format: PrintFormat
  photoName: string
}

/** What is printed: the print dialog prints this very element. */
export function Preview({ drawing, pictures, format, photoName }: PreviewProps) {
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
