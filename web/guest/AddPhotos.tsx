import { Camera, Check, ChevronLeft, ImagePlus, Image as Picture, Info, TriangleAlert, X } from 'lucide-react'
import { contributorConsent } from '@keepsnap/contract/event-photos.ts'
import { nameChars } from '@keepsnap/contract/form-rules.ts'
import { eventLimits } from '@keepsnap/contract/event-limits.ts'
import type { GuestAdding } from '@keepsnap/contract/rendering.ts'
import { pages } from '@keepsnap/contract/site.ts'
import { useText } from '../lib/i18n.tsx'
import type { Catalogue } from '../messages/en.ts'
import { addPhotos } from '../messages/en/event-photos.ts'
import { refusals } from '../messages/en/refusals.ts'
import { buttonClass } from '../ui/Button.tsx'
import { useGuestLanguage } from './GuestLayout.tsx'
import type { AddPhotosMessages } from './script/add-photos.ts'

interface Props {
  /** Of the event's page; its calls are below. */
  path: string
  /** Of the event. */
  name: string | null
  adding: GuestAdding
  /** Whether the page has nothing else. */
  isAlone?: boolean
}

/** Why the server refuses a guest's file, or could not process it, in English. */
const fileRefusals = [
  'This file is not a photo we can read. Please choose a JPG, PNG, GIF, WebP, AVIF, TIFF or HEIC image.',
  'This file is not a photo we can read. Please upload a JPG, PNG, GIF, WebP, AVIF, TIFF or HEIC image.',
  'This file is empty. Please choose another one.',
  'This image has more than {} megapixels, which is more than we can process. Please make it smaller and try again.',
  'This image has more than {} megapixels, which is more than we can process. Please make it smaller and upload it again.',
  'This file is compressed or coloured in a way that is not supported. Please save it as JPG or PNG and upload it again.',
  'This photo is damaged or incomplete. Please upload the original file again.',
  'This photo took too long to process. Please save it again in a photo editor, or make it smaller, and upload it again.',
  'This photo needs too much memory to process. Please save it again in a photo editor, or make it smaller, and upload it again.',
  'Something went wrong while processing this photo. Please upload it again.',
]

const translatedRefusals = ({ general, sentences }: Catalogue['refusals']): Record<string, string> | undefined =>
  general === null ? undefined : Object.fromEntries(fileRefusals.map((one) => [one, sentences[one] ?? general]))

/**
 * Where guests add photos to an event: a bar with one button, and what it opens. The script adds the photos; the page itself is the
 * same for all guests.
 */
export function AddPhotos({ path, name, adding, isAlone = false }: Props) {
  const text = useText({ addPhotos })
  const messages: AddPhotosMessages = { ...text.script, refusals: translatedRefusals(useText({ refusals })) }
  return (
    <div
      className="add"
      data-add={path}
      data-alone={isAlone ? '' : undefined}
      data-consent={contributorConsent.version}
      data-language={useGuestLanguage()}
      data-most={eventLimits.waitingPerContributor}
      data-messages={JSON.stringify(messages)}
    >
      <div className="add__bar" data-add-bar hidden={isAlone}>
        <p className="tiny muted add__bar-say" data-add-summary />
        <a className={buttonClass({ tone: 'primary', large: true, block: true })} href="#add" hidden data-add-open>
          <ImagePlus className="icon" />
          <span>{text.open}</span>
        </a>
        <noscript>
          <p className="tiny muted">{text.noScript}</p>
        </noscript>
      </div>
      <section className="add__view stack" id="add" aria-labelledby="add-heading" hidden={!isAlone}>
        {!isAlone && (
          <a className={buttonClass({ tone: 'ghost' })} href={path} data-add-back>
            <ChevronLeft className="icon" />
            {text.back}
          </a>
        )}
        {name !== null && (
          <p className="muted add__event" translate="no">
            {name}
          </p>
        )}
        <h1 id="add-heading" tabIndex={-1}>
          {text.heading}
        </h1>
        <p className="muted" data-add-lead>
          {adding.reviewed ? text.lead.reviewed : text.lead.direct} {text.lead.takeBack}
        </p>
        <p className="note" data-add-closed hidden>
          <Info className="icon" />
          <span />
        </p>
        {isAlone && (
          <noscript>
            <p className="note">
              <Info className="icon" />
              <span>{text.noScript}</span>
            </p>
          </noscript>
        )}
        <div className="stack" data-add-form hidden>
          <div className="field">
            <label htmlFor="add-name">{text.name}</label>
            <input
              className="input"
              id="add-name"
              autoComplete="name"
              enterKeyHint="done"
              translate="no"
              maxLength={nameChars.contributor}
              aria-describedby="add-name-hint add-name-error"
            />
            <p className="hint" id="add-name-hint">
              {text.nameHint}
            </p>
            <p className="error" id="add-name-error" role="alert" hidden>
              <TriangleAlert className="icon" />
              <span>{text.nameProblem}</span>
            </p>
          </div>
          <p className="tiny muted add__consent">
            {text.consent} <a href={pages.privacy}>{text.responsible}</a>
          </p>
          <div className="add__buttons">
            <button type="button" className={buttonClass({ tone: 'primary', large: true })} data-add-choose="files">
              <ImagePlus className="icon" />
              {text.choose}
            </button>
            <button type="button" className={buttonClass({ large: true })} data-add-choose="camera" hidden>
              <Camera className="icon" />
              {text.camera}
            </button>
            {/* Opened by the buttons. */}
            <input type="file" id="add-files" accept="image/*" multiple hidden aria-label={text.choose} />
            <input type="file" id="add-camera" accept="image/*" capture="environment" hidden aria-label={text.camera} />
          </div>
          <p className="tiny muted tabular-numbers" data-add-left />
        </div>
        <output className="note" data-add-say hidden />
        <h2 className="visually-hidden" id="add-mine">
          {text.mine}
        </h2>
        <ul className="add__list" aria-labelledby="add-mine" data-add-list />
        <AddedPhoto />
      </section>
    </div>
  )
}

/** One photo of the list, which the script fills in. */
function AddedPhoto() {
  const text = useText({ addPhotos })
  return (
    <template data-add-row>
      <li className="add__row" data-tone="">
        <span className="add__thumb">
          <Picture className="icon" />
        </span>
        <div className="add__main">
          <p className="add__name" />
          <progress max={1} hidden />
          <p className="add__state">
            <Check className="icon" />
            <TriangleAlert className="icon" />
            <span />
          </p>
          <div className="add__ask" hidden>
            <p>{text.takeBackAsk}</p>
            <button type="button" className={buttonClass({ tone: 'danger' })} data-yes>
              {text.takeBack}
            </button>
            <button type="button" className={buttonClass({})} data-no>
              {text.keep}
            </button>
          </div>
        </div>
        <button type="button" className={buttonClass({})} data-retry hidden>
          {text.retry}
        </button>
        <button
          type="button"
          className={buttonClass({ tone: 'ghost', icon: true })}
          data-remove={text.remove}
          data-take-back={text.takeBack}
          hidden
        >
          <X className="icon" />
        </button>
      </li>
    </template>
  )
}
