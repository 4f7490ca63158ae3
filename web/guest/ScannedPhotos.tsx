import { ChevronDown, Download } from 'lucide-react'
import { scannedPhotos } from '../messages/en/event-guests.ts'
import { guest } from '../messages/en/guests.ts'
import { useText } from '../lib/i18n.tsx'
import { buttonClass } from '../ui/Button.tsx'
import { AddressForm, AddressSent } from './AddressForm.tsx'
import type { ScannedPhotosMessages } from './script/scanned-photos.ts'

interface Props {
  /** The mark of the event; undefined of photos without one, whose pages have nothing of this. */
  event?: string
  /** Of the photo whose page this is. */
  code?: string
  /** Whether emails can be sent. */
  canEmail?: boolean
  /** Whether the gallery of the event opens later. */
  tellsOfGallery?: boolean
}

/** The photos of an event whose codes this phone has scanned: the script keeps them there, and shows them here. */
export function ScannedPhotos({ event, code, canEmail = false, tellsOfGallery = false }: Props) {
  const text = useText({ scannedPhotos })
  const sentHeading = useText({ guest }).sent.heading
  const messages: ScannedPhotosMessages = text.script
  if (event === undefined) return null
  return (
    <section className="scanned" hidden data-scanned={event} data-code={code} data-messages={JSON.stringify(messages)}>
      <details>
        <summary className={buttonClass({ tone: 'quiet', block: true })}>
          <span className="tabular-numbers" data-scanned-count />
          <ChevronDown className="icon" />
        </summary>
        <div className="stack">
          <p className="small muted" tabIndex={-1} data-scanned-lead />
          <ul className="guest__tiles" aria-label={text.photos} data-scanned-list />
          <button
            type="button"
            className={buttonClass({ tone: 'quiet', large: true, block: true })}
            hidden
            data-scanned-save
          >
            <Download className="icon" />
            <span className="tabular-numbers" data-label />
          </button>
          <output className="scanned__say small" data-scanned-status />
          {canEmail && (
            <>
              <AddressForm
                call="/d/request-email"
                also="codes"
                heading={<h2>{text.email}</h2>}
                send={text.send}
                consent={text.consent}
                tellsOfGallery={tellsOfGallery}
              >
                <p className="scanned__say small" data-scanned-newest />
              </AddressForm>
              <AddressSent
                heading={<h2 tabIndex={-1}>{sentHeading}</h2>}
                lead={text.onTheirWay}
                after={text.arrival}
                path="#"
              />
            </>
          )}
          <div className="row">
            <button type="button" className={buttonClass({ tone: 'ghost' })} data-scanned-remember>
              {text.remember}
            </button>
            <button type="button" className={buttonClass({ tone: 'ghost' })} data-scanned-forget>
              {text.forget}
            </button>
          </div>
        </div>
      </details>
      <output className="scanned__say small muted" tabIndex={-1} data-scanned-end />
    </section>
  )
}
