import type { GuestPage } from '@keepsnap/contract/rendering.ts'
import { pages } from '@keepsnap/contract/site.ts'
import { buttonClass } from '../ui/Button.tsx'
import { guest } from '../messages/en/guests.ts'
import { useText } from '../lib/i18n.tsx'
import { AddressForm, AddressSent } from './AddressForm.tsx'
import { GalleryLink, GuestLayout, WideLink } from './GuestLayout.tsx'
import { GuestPrint } from './GuestPhotoPage.tsx'
import { Report } from './Report.tsx'
import { ScannedPhotos } from './ScannedPhotos.tsx'

type RequestPageProps = Extract<GuestPage, { page: 'request' }>

/** The page behind the request code: the thumbnail, and a form that sends the photo to an email address. */
export function RequestPage({ page, placeholder }: { page: RequestPageProps; placeholder: string }) {
  const { photo, state } = page
  return (
    <GuestLayout
      look="form"
      logo={page.logo}
      footer={<Report path={photo.callsPath} report={page.report} />}
      data={{
        'data-calls': photo.callsPath,
        // The other states are answers to the form.
        ...((state === 'form' || state === 'off') && { 'data-visit': 'code' }),
        ...(photo.thumbnailUrl === null && { 'data-wait': 'show' }),
      }}
    >
      <GuestPrint photo={photo} placeholder={placeholder} showName checkAgainPath={photo.pagePath} />
      <div className="guest__actions">
        {state === 'off' ? (
          <EmailOff />
        ) : (
          <>
            <EmailForm page={page} />
            <RequestSent page={page} />
          </>
        )}
        <GalleryLink path={page.galleryPath} />
        <ScannedPhotos {...page.kept} tellsOfGallery={typeof page.opensAt === 'string'} />
      </div>
    </GuestLayout>
  )
}

/** The form for the email address. It works without JavaScript; with it, script/enhance.ts sends it. */
function EmailForm({ page }: { page: RequestPageProps }) {
  const text = useText({ guest }).request
  return (
    <AddressForm
      answer={page.state === 'off' ? 'form' : page.state}
      email={page.email}
      problem={page.problem}
      action={page.photo.formPath}
      call={`${page.photo.callsPath}/request-email`}
      heading={<h1>{text.heading}</h1>}
      send={text.send}
      consent={text.consent}
      tellsOfGallery={typeof page.opensAt === 'string'}
    >
      {/* In a gallery, the link to all of its photos leads back. */}
      {!page.photo.pagePath.startsWith(`${page.galleryPath}/`) && (
        <a className={buttonClass({ tone: 'ghost', block: true })} href={pages.home}>
          {text.cancel}
        </a>
      )}
    </AddressForm>
  )
}

function RequestSent({ page: { state, email, photo, processing } }: { page: RequestPageProps }) {
  const text = useText({ guest }).sent
  return (
    <AddressSent
      isShown={state === 'sent'}
      email={email}
      heading={<h1 tabIndex={-1}>{text.heading}</h1>}
      lead={text.onItsWay}
      after={processing ? text.afterProcessing : text.arrival}
      path={photo.pagePath}
    >
      <output className="guest__toast">{text.toast}</output>
    </AddressSent>
  )
}

function EmailOff() {
  const text = useText({ guest })
  return (
    <div className="stack">
      <h1>{text.request.emailOff.heading}</h1>
      <p className="muted">{text.request.emailOff.lead}</p>
      <WideLink href={pages.home}>{text.gone.home}</WideLink>
    </div>
  )
}
