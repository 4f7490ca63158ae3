import type { LogoGround } from '@keepsnap/contract/logo-grounds.ts'
import { useQuery } from '@tanstack/react-query'
import { Download, Printer } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { downloadFile } from '../../lib/download-file.ts'
import { useText } from '../../lib/i18n.tsx'
import { hasFailed } from '../../lib/query-failure.ts'
import { printKit } from '../../messages/en/print-kit.ts'
import { states } from '../../messages/en/states.ts'
import { Button } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { Preview, PreviewSkeleton } from './Preview.tsx'
import { PrintForm } from './PrintForm.tsx'
import type { PrintContent, PrintFormat } from './content.ts'
import type { Drawing, PictureName } from './drawing.ts'
import { createHasGlyph, drawnText, type DrawnText, type HasGlyph } from './glyphs.ts'
import { drawingOf } from './layout.ts'
import { createMeasure, loadFonts } from './measure.ts'
import { initialOptions, pdfFilename, type PrintOptions, textsOf } from './options.ts'
import './print-kit.css'
import { codeQuery, pictureQuery } from './queries.ts'
import type { MeasureText } from './text-fit.ts'
import { isWifiComplete, wifiModules } from './wifi.ts'

/** A photo that can be printed. */
export interface PrintedPhoto {
  id: string
  name: string
  url: string
  /** URL of its code as SVG. */
  codeUrl: string
  /** Whether the code leads to the request page. */
  byEmail: boolean
}
/** The owner's logo, and what is drawn behind it on white. */
export interface PrintedLogo {
  url: string
  ground: LogoGround
}

interface Props {
  photo: PrintedPhoto
  /** Undefined where the plan has no logos or is not known, null for an owner without one. */
  logo: PrintedLogo | null | undefined
  onPhotoFailed: () => void
}

/** Options, and beside them what will be printed. */
export function PrintKit({ photo, logo, onPhotoFailed }: Props) {
  const text = useText({ printKit })
  const [options, setOptions] = useState(() => initialOptions(document.documentElement.lang))
  const [showsProblems, setShowsProblems] = useState(false)
  const form = useRef<HTMLElement>(null)
  const { measure, hasGlyph } = useFonts()
  const line = useMemo(() => drawnText(options.line, hasGlyph), [options.line, hasGlyph])
  const network = useMemo(() => drawnText(options.wifi.network, hasGlyph), [options.wifi.network, hasGlyph])
  const code = useQuery(codeQuery(photo.codeUrl))
  const photoImage = useQuery(pictureQuery(photo.id, photo.url))
  const logoImage = useQuery(pictureQuery(logo?.url ?? 'none', logo?.url ?? null))
  const wifi = options.hasWifi && isWifiComplete(options.wifi) ? options.wifi : null
  const modules = useMemo(() => wifi && wifiModules(wifi), [wifi])
  const printedLogo = options.showsLogo ? logoImage.data : undefined
  const isPhotoMissing = hasFailed(photoImage) && !photoImage.data
  const isCodeMissing = hasFailed(code) && !code.data
  const drawing = useMemo(() => {
    if (!code.data || !photoImage.data || !measure) return null
    const content: PrintContent = {
      photo: shapeOf(photoImage.data),
      code: code.data,
      byEmail: photo.byEmail,
      logo: printedLogo ? { ...shapeOf(printedLogo), onInk: logo?.ground === 'ink' } : null,
      line: line.text,
      texts: textsOf(options),
      wifi: wifi && modules && { modules, network: printedNetwork(network), password: passwordOf(wifi) },
    }
    return drawingOf(options.format, content, measure)
  }, [
    code.data,
    photoImage.data,
    measure,
    photo.byEmail,
    printedLogo,
    logo?.ground,
    options,
    line,
    network,
    wifi,
    modules,
  ])

  /** Whether everything that was asked for is on the print; otherwise the first problem gets the focus. */
  const check = (): boolean => {
    if (!options.hasWifi || wifi) return true
    setShowsProblems(true)
    form.current?.querySelector<HTMLInputElement>('[data-wifi-problem]')?.focus()
    return false
  }
  const pictures = { ...(photoImage.data && { photo: photoImage.data }), ...(printedLogo && { logo: printedLogo }) }
  return (
    <div className="print-kit">
      <section className="print-kit__form" ref={form} aria-label={text.formats.label}>
        <PrintForm
          options={options}
          onChange={(changes: Partial<PrintOptions>) => setOptions((before) => ({ ...before, ...changes }))}
          showsProblems={showsProblems}
          missing={{ line: line.missing, network: network.missing }}
          logo={logo === undefined ? 'not included' : logo === null ? 'none' : logoImage.isError ? 'failed' : 'there'}
        />
        <PrintActions
          drawing={drawing}
          pictures={pictures}
          measure={measure}
          check={check}
          format={options.format}
          photoName={photo.name}
          language={options.language}
        />
      </section>
      {isPhotoMissing || isCodeMissing ? (
        <Failed
          sentence={isPhotoMissing ? text.errors.photo : text.errors.code}
          busy={code.isFetching || photoImage.isFetching}
          onRetry={() => {
            onPhotoFailed()
            if (isCodeMissing) void code.refetch()
            if (isPhotoMissing) void photoImage.refetch()
          }}
        />
      ) : drawing ? (
        <Preview drawing={drawing} pictures={pictures} format={options.format} photoName={photo.name} />
      ) : (
        <PreviewSkeleton />
      )}
    </div>
  )
}

const shapeOf = ({ naturalWidth, naturalHeight }: HTMLImageElement) => ({
  width: naturalWidth || 3,
  height: naturalHeight || 2,
})

const passwordOf = ({ security, password }: PrintOptions['wifi']): string => (security === 'nopass' ? '' : password)

/** A name from which a character is missing would be typed wrongly: then only its code is printed. */
const printedNetwork = ({ text, missing }: DrawnText): string => (missing.length === 0 ? text : '')

interface Fonts {
  /** Null until the fonts of the page are there: without them, widths are those of another font. */
  measure: MeasureText | null
  hasGlyph: HasGlyph
}
/** After this long the browser shows another font as well. */
const fontTimeoutMs = 5_000
const notLoaded: Fonts = { measure: null, hasGlyph: () => true }

function useFonts(): Fonts {
  const [fonts, setFonts] = useState(notLoaded)
  useEffect(() => {
    let isMounted = true
    const measureAgain = (): void => {
      if (isMounted) setFonts({ measure: createMeasure(), hasGlyph: createHasGlyph() })
    }
    const fontTimer = setTimeout(measureAgain, fontTimeoutMs)
    void loadFonts()
      .then(measureAgain)
      .finally(() => clearTimeout(fontTimer))
    return () => {
      isMounted = false
      clearTimeout(fontTimer)
    }
  }, [])
  return fonts
}

function Failed({ sentence, busy, onRetry }: { sentence: string; busy: boolean; onRetry: () => void }) {
  const { tryAgain } = useText({ states })
  return (
    <div className="print-kit__view card state" role="alert">
      <p>{sentence}</p>
      <Button busy={busy} onClick={onRetry}>
        {tryAgain}
      </Button>
    </div>
  )
}

interface PrintActionsProps {
  /** Null until everything is loaded. */
  drawing: Drawing | null
  pictures: Readonly<Partial<Record<PictureName, HTMLImageElement>>>
  measure: MeasureText | null
  /** Whether it may be printed; shows what is wrong otherwise. */
  check: () => boolean
  format: PrintFormat
  photoName: string
  language: string
}

/** A chunk of its own, with the PDF library: most people only print. */
const loadPdfModule = () => import('./pdf.ts')

/** The two ways to print: the print dialog, and a PDF for a print shop. */
function PrintActions({ drawing, pictures, measure, check, format, photoName, language }: PrintActionsProps) {
  const text = useText({ printKit })
  const [state, setState] = useState<'idle' | 'making' | 'made' | 'failed'>('idle')
  const makePdf = async (): Promise<void> => {
    if (!drawing || !measure || !check()) return
    setState('making')
    try {
      const { pdfOf } = await loadPdfModule()
      const pdf = await pdfOf(drawing, { pictures, measure, title: text.formats[format], language })
      downloadFile(pdf, pdfFilename(format, photoName))
      setState('made')
    } catch {
      setState('failed')
    }
  }
  const print = (): void => {
    if (drawing && check()) window.print()
  }
  const waiting = drawing ? {} : { 'aria-disabled': true }
  return (
    <div className="print-kit__actions">
      <div className="print-kit__buttons">
        <Button tone="primary" large onClick={print} {...waiting}>
          <Printer className="icon" />
          {text.actions.print}
        </Button>
        <Button large busy={state === 'making'} onClick={() => void makePdf()} {...waiting}>
          {state !== 'making' && <Download className="icon" />}
          {text.actions.pdf}
        </Button>
      </div>
      <output className="visually-hidden">
        {state === 'making' ? text.actions.making : state === 'made' ? text.actions.made : ''}
      </output>
      {state === 'failed' && <Note tone="bad">{text.errors.pdf}</Note>}
      <p className="small muted">{text.hint}</p>
    </div>
  )
}
