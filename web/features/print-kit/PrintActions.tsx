import { Download, Printer } from 'lucide-react'
import { useState } from 'react'
import { downloadFile } from '../../lib/download-file.ts'
import { useText } from '../../lib/i18n.tsx'
import { printKit } from '../../messages/en/print-kit.ts'
import { Button } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import type { PrintFormat } from './content.ts'
import type { Drawing, PictureName } from './drawing.ts'
import { pdfFilename } from './options.ts'
import type { MeasureText } from './text-fit.ts'

interface Props {
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
export function PrintActions({ drawing, pictures, measure, check, format, photoName, language }: Props) {
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
