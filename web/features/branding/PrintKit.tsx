import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { Link } from 'react-router'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Download, Printer } from 'lucide-react'
import { isLanguage, type Language, languageNames, languages } from '@keepsnap/contract/languages.ts'
import type { LogoGround } from '@keepsnap/contract/accounts.ts'
import { useText } from '../../lib/i18n.tsx'
import { printKit } from '../../messages/en/branding.ts'
import { Field, SelectField } from '../../ui/Field.tsx'
import { Note } from '../../ui/Note.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { paths } from '../../lib/paths.ts'
import { printed, printedLanguageOf, type PrintedTexts } from '../../messages/printed.ts'
import { loadImage } from '../../lib/images.ts'
import { downloadFile } from '../../lib/urls.ts'
import { hasFailed } from '../../ui/QueryView.tsx'
import { states } from '../../messages/en/frame.ts'
import { Button } from '../../ui/Button.tsx'
import { emptyWifi, isWifiComplete, type Wifi, wifiModules, wifiProblems, wifiSecurities } from './wifi.ts'
import { type PrintContent, type PrintFormat, printFormats } from './sheet-parts.ts'
import {
  createHasGlyph,
  createMeasure,
  drawnText,
  graphemesOf,
  type HasGlyph,
  loadFonts,
  type MeasureText,
  mostLineCharacters,
  printableLine,
} from './sheet-text.ts'
import { type Drawing, modulesOfSvg, type PictureName } from './drawing.ts'
import { Preview, PreviewSkeleton } from './Sheet.tsx'
import { drawingOf } from './sheet-layout.ts'
import '../../ui/choices.css'
import './print-kit.css'

/** A photo that can be printed, or a code of an event. */
interface PrintedPhoto {
  id: string
  name: string
  /** Null for an event. */
  url: string | null
  /** The name of the event, and that of the table whose code it is. */
  event?: { event: string; table: string }
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
  const isPhotoMissing = photo.url !== null && hasFailed(photoImage) && !photoImage.data
  const isCodeMissing = hasFailed(code) && !code.data
  const drawing = useMemo(() => {
    const picture = photo.event ?? (photoImage.data && shapeOf(photoImage.data))
    if (!code.data || !picture || !measure) return null
    const content: PrintContent = {
      photo: picture,
      code: code.data,
      byEmail: photo.byEmail,
      logo: printedLogo ? { ...shapeOf(printedLogo), onInk: logo?.ground === 'ink' } : null,
      line: line.text,
      texts: textsOf(options),
      wifi: wifi &&
        modules && {
          modules,
          // A name from which a character is missing would be typed wrongly: then only its code is printed.
          network: network.missing.length === 0 ? network.text : '',
          password: wifi.security === 'nopass' ? '' : wifi.password,
        },
    }
    return drawingOf(options.format, content, measure)
  }, [
    code.data,
    photoImage.data,
    measure,
    photo.byEmail,
    photo.event,
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

/** The two ways to print: the print dialog, and a PDF for a print shop. */
function PrintActions({ drawing, pictures, measure, check, format, photoName, language }: PrintActionsProps) {
  const text = useText({ printKit })
  const [state, setState] = useState<'idle' | 'making' | 'made' | 'failed'>('idle')
  const makePdf = async (): Promise<void> => {
    if (!drawing || !measure || !check()) return
    setState('making')
    try {
      // A chunk of its own, with the PDF library: most people only print.
      const { pdfOf } = await import('./pdf.ts')
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

function PrintForm({ options, onChange, showsProblems, logo, missing }: PrintFormProps) {
  const text = useText({ printKit })
  return (
    <>
      <FormatChoice options={options} onChange={onChange} />
      <LineField line={options.line} missing={missing.line} onChange={(line) => onChange({ line })} />
      <div className="print-kit__pair">
        <SelectField
          label={text.languages.first}
          value={options.language}
          choices={languages.map((value) => ({ value, label: languageNames[value], language: value }))}
          onChange={({ target: { value } }) => isLanguage(value) && onChange({ language: value })}
        />
        <SelectField
          label={text.languages.second}
          value={options.secondLanguage === options.language ? '' : (options.secondLanguage ?? '')}
          choices={[
            { value: '', label: text.languages.none },
            ...languages
              .filter((value) => value !== options.language)
              .map((value) => ({ value, label: languageNames[value], language: value })),
          ]}
          onChange={({ target: { value } }) => onChange({ secondLanguage: isLanguage(value) ? value : null })}
        />
      </div>
      <div>
        <LogoSwitch logo={logo} checked={options.showsLogo} onChange={(showsLogo) => onChange({ showsLogo })} />
        <Switch
          label={text.wifi.label}
          hint={text.wifi.hint}
          checked={options.hasWifi}
          onChange={(hasWifi) => onChange({ hasWifi })}
        />
        {options.hasWifi && (
          <WifiFields
            wifi={options.wifi}
            onChange={(wifi) => onChange({ wifi })}
            showsProblems={showsProblems}
            isNameDrawn={missing.network.length === 0}
          />
        )}
      </div>
    </>
  )
}

interface WifiFieldsProps {
  wifi: Wifi
  onChange: (wifi: Wifi) => void
  /** Whether what is missing is said, too: printing was attempted. */
  showsProblems: boolean
  /** Whether this device can draw the network's name. */
  isNameDrawn: boolean
}

// A network's name and password are as typed: no capitals, corrections or suggestions, and no password manager.
const asTyped = {
  autoComplete: 'off',
  autoCapitalize: 'none',
  autoCorrect: 'off',
  spellCheck: false,
  dir: 'ltr',
} as const

const mostTyped = 200

/** The Wi-Fi network of the guests. What is typed stays in the memory of this page. */
function WifiFields({ wifi, onChange, showsProblems, isNameDrawn }: WifiFieldsProps) {
  const text = useText({ printKit }).wifi
  const { errors } = text
  const problems = wifiProblems(wifi)
  const networkSentences = { missing: errors.networkMissing, long: errors.networkLong }
  const passwordSentences = { missing: errors.passwordMissing, wpa: errors.passwordWpa, wep: errors.passwordWep }
  const sentences = {
    network: problems.network && networkSentences[problems.network],
    password: problems.password && passwordSentences[problems.password],
  }
  const [wasLeft, setWasLeft] = useState({ network: false, password: false })
  const hint = useId()
  const fieldOf = (name: 'network' | 'password') => ({
    ...asTyped,
    value: wifi[name],
    maxLength: mostTyped,
    'aria-describedby': hint,
    'data-wifi-problem': sentences[name] === undefined ? undefined : '',
    error: showsProblems || (wasLeft[name] && wifi[name] !== '') ? sentences[name] : undefined,
    onBlur: () => setWasLeft((before) => ({ ...before, [name]: true })),
  })
  return (
    <div className="print-kit__wifi">
      <Field
        label={text.network}
        {...fieldOf('network')}
        onChange={({ target }) => onChange({ ...wifi, network: target.value })}
      />
      {!isNameDrawn && <Note tone="warn">{text.nameMissing}</Note>}
      <SelectField
        label={text.security}
        value={wifi.security}
        choices={wifiSecurities.map((value) => ({ value, label: text.securities[value] }))}
        onChange={({ target: { value } }) =>
          onChange({ ...wifi, security: wifiSecurities.find((security) => security === value) ?? wifi.security })
        }
      />
      {wifi.security !== 'nopass' && (
        <Field
          label={text.password}
          {...fieldOf('password')}
          onChange={({ target }) => onChange({ ...wifi, password: target.value })}
        />
      )}
      <Switch label={text.hidden} checked={wifi.isHidden} onChange={(isHidden) => onChange({ ...wifi, isHidden })} />
      <p className="small muted print-kit__privacy" id={hint}>
        {text.privacy}
      </p>
      {!isWifiComplete(wifi) && <p className="small print-kit__privacy">{text.incomplete}</p>}
    </div>
  )
}

interface PrintFormProps {
  options: PrintOptions
  onChange: (changes: Partial<PrintOptions>) => void
  /** Whether what is missing of the Wi-Fi network is said. */
  showsProblems: boolean
  logo: 'not included' | 'none' | 'failed' | 'there'
  /** Characters that this device cannot draw. */
  missing: Readonly<Record<'line' | 'network', readonly string[]>>
}

function FormatChoice({ options, onChange }: Pick<PrintFormProps, 'options' | 'onChange'>) {
  const text = useText({ printKit }).formats
  const name = useId()
  const sizes = { card: text.cardSize, four: text.fourSize, poster: text.posterSize }
  return (
    <fieldset className="print-kit__formats">
      <legend className="label">{text.label}</legend>
      {printFormats.map((format) => (
        <label key={format} className="choice">
          <input type="radio" name={name} checked={options.format === format} onChange={() => onChange({ format })} />
          <b>{text[format]}</b>
          <span className="choice__size tabular-numbers">{sizes[format]}</span>
        </label>
      ))}
    </fieldset>
  )
}

interface LineProps {
  line: string
  missing: readonly string[]
  onChange: (line: string) => void
}

function LineField({ line, missing, onChange }: LineProps) {
  const text = useText({ printKit }).line
  const hint = useId()
  const used = graphemesOf(line).length
  return (
    <Field
      label={text.label}
      placeholder={text.example}
      value={line}
      dir="auto"
      autoComplete="off"
      aria-describedby={hint}
      onChange={({ target }) => onChange(printableLine(target.value))}
    >
      <p className="hint tabular-numbers" id={hint}>
        {text.count(used, mostLineCharacters)}
      </p>
      {missing.length > 0 && <Note tone="warn">{text.missing(missing.join(' '))}</Note>}
    </Field>
  )
}

interface LogoProps extends Pick<PrintFormProps, 'logo'> {
  checked: boolean
  onChange: (checked: boolean) => void
}

function LogoSwitch({ logo, checked, onChange }: LogoProps) {
  const text = useText({ printKit }).logo
  if (logo === 'not included') return null
  if (logo === 'none') {
    return (
      <p className="small print-kit__no-logo">
        <span className="muted">{text.none}</span> <Link to={`${paths.settings}#look`}>{text.add}</Link>
      </p>
    )
  }
  return (
    <>
      <Switch label={text.label} hint={text.hint} checked={checked} onChange={onChange} />
      {logo === 'failed' && checked && <Note tone="warn">{text.failed}</Note>}
    </>
  )
}

/** What the owner chooses; kept while the page is open, and nowhere else. */
interface PrintOptions {
  format: PrintFormat
  line: string
  language: Language
  secondLanguage: Language | null
  showsLogo: boolean
  hasWifi: boolean
  wifi: Wifi
}

/** In the language of the page, as guests mostly speak that of the owner. */
const initialOptions = (pageLanguage: string): PrintOptions => ({
  format: 'card',
  line: '',
  language: printedLanguageOf(pageLanguage),
  secondLanguage: null,
  showsLogo: true,
  hasWifi: false,
  wifi: emptyWifi,
})

/** The texts of the chosen languages; the same language twice is once. */
const textsOf = ({ language, secondLanguage }: PrintOptions): PrintedTexts[] =>
  [...new Set([language, secondLanguage])].flatMap((each) => (each === null ? [] : [printed[each]]))

const fileNames: Record<PrintFormat, string> = { card: 'card', four: 'cards', poster: 'poster' }

/** A name for the file: `keepsnap-card-IMG_4374.pdf`. */
export function pdfFilename(format: PrintFormat, photoName: string): string {
  const stem = photoName.replace(/\.[A-Za-z0-9]{1,7}$/, '').replace(/[^\p{L}\p{N}._-]+/gu, '-')
  return `keepsnap-${fileNames[format]}-${Array.from(stem).slice(0, 60).join('')}.pdf`
}

const codeTimeoutMs = 15_000

const pictureTimeoutMs = 60_000

/** The modules of the code that the server draws; the same as on every other page. */
const codeQuery = (svgUrl: string) =>
  queryOptions({
    queryKey: ['print', 'code', svgUrl],
    async queryFn() {
      const response = await fetch(svgUrl, { credentials: 'omit', signal: AbortSignal.timeout(codeTimeoutMs) })
      if (!response.ok) throw new Error(`the code answered ${response.status}`)
      return modulesOfSvg(await response.text())
    },
    staleTime: Infinity,
    retry: 1,
  })

/** A picture, decoded. `name` stays the same when its signed URL changes. */
const pictureQuery = (name: string, url: string | null) =>
  queryOptions({
    queryKey: ['print', 'picture', name],
    async queryFn() {
      const image = url === null ? null : await loadImage(url, pictureTimeoutMs)
      if (!image) throw new Error('the picture could not be loaded')
      return image
    },
    enabled: url !== null,
    staleTime: Infinity,
    retry: false,
  })

const shapeOf = ({ naturalWidth, naturalHeight }: HTMLImageElement) => ({
  width: naturalWidth || 3,
  height: naturalHeight || 2,
})

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
