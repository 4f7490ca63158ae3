import type { Photo } from '@keepsnap/contract/photos.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Check, TriangleAlert, Upload } from 'lucide-react'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { useRetryPhoto } from '../features/photos/changes.ts'
import { GallerySkeleton } from '../features/photos/gallery/GallerySkeleton.tsx'
import { SelectBar } from '../features/photos/gallery/SelectBar.tsx'
import { keepOnly, noPhotos, pick, type Selection } from '../features/photos/gallery/selection.ts'
import type { TileDeeds } from '../features/photos/gallery/Tile.tsx'
import { Wall } from '../features/photos/gallery/Wall.tsx'
import { listQuery } from '../features/photos/queries.ts'
import { useNews } from '../features/photos/stage/useNews.ts'
import { useDecide } from '../features/reports/queries.ts'
import { ToLogin } from '../features/session/gates.tsx'
import { ApiError, isSignedOut } from '../lib/answers.ts'
import { useCurrentUser } from '../lib/current-user.ts'
import { useFormat, useText } from '../lib/i18n.tsx'
import { usePageTitle } from '../lib/page-title.ts'
import { useApi, useMediaUrl, useSessionState } from '../lib/parts.tsx'
import { galleryPhoto, photoIn, paths } from '../lib/paths.ts'
import { staying } from '../lib/scroll.ts'
import { gallery as words } from '../messages/en/gallery.ts'
import { states } from '../messages/en/states.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { PageHeading } from '../ui/PageHeading.tsx'
import { EmptyState } from '../ui/State.tsx'
import { useToast } from '../ui/Toasts.tsx'
import { useHiding } from './useHiding.ts'
import './gallery.css'

const Viewer = lazy(async () => ({ default: (await import('../features/photos/viewer/Viewer.tsx')).Viewer }))

/** All photos of the user, newest first. Not guarded: who is not signed in is told so by the call, and sent to sign in. */
export function GalleryPage() {
  const text = useText({ gallery: words })
  usePageTitle(text.title)
  const list = useInfiniteQuery(listQuery(useApi()))
  const photos = useMemo(() => list.data?.pages.flatMap((page) => page.photos), [list.data])
  const { token, ended } = useSessionState()
  // Nothing is asked again when the session ends in another tab, and what was fetched before must not stay.
  const hasLeft = token === null && ended !== null
  if (hasLeft || isSignedOut(list.error)) return <ToLogin />
  return (
    <div className="wrap wrap--wide">
      {photos ? (
        <Filled
          photos={photos}
          hasMore={list.hasNextPage}
          loadMore={() => !list.isFetching && void list.fetchNextPage()}
        />
      ) : (
        <>
          <header className="head">
            <PageHeading>{text.heading}</PageHeading>
          </header>
          {list.isError ? <Failed onRetry={() => void list.refetch()} /> : <GallerySkeleton />}
        </>
      )}
    </div>
  )
}

function Failed({ onRetry }: { onRetry: () => void }) {
  const text = useText({ gallery: words })
  const { tryAgain } = useText({ states })
  return (
    <div className="card state" role="alert">
      <TriangleAlert className="i state__sign" />
      <p>{text.errors.load}</p>
      <Button onClick={onRetry}>{tryAgain}</Button>
    </div>
  )
}

interface FilledProps {
  photos: readonly Photo[]
  hasMore: boolean
  loadMore: () => void
}

function Filled({ photos, hasMore, loadMore }: FilledProps) {
  const text = useText({ gallery: words })
  const format = useFormat()
  const [selection, select] = useSelection(photos)
  const total = useTotal(photos.length, hasMore)
  const viewer = useViewer()
  const { mutateAsync: decide } = useDecide(useHiding())
  const deeds = useDeeds(photos, select)
  useArrivals(photos[0] ?? null)
  const uploadLink = (
    <Link className={buttonClass({ tone: 'primary' })} to={paths.upload}>
      <Upload className="i" />
      {text.upload}
    </Link>
  )
  return (
    <>
      <header className="head">
        <div>
          <Brand />
          <PageHeading>{text.heading}</PageHeading>
          {photos.length > 0 && <p className="num">{text.count(total, format.count(total))}</p>}
        </div>
        {photos.length > 0 && (
          <div className="row">
            <Button aria-pressed={selection !== null} onClick={() => select(selection ? null : noPhotos)}>
              <Check className="i" />
              {selection ? text.select.stop : text.select.start}
            </Button>
            {uploadLink}
          </div>
        )}
      </header>
      {photos.length > 0 ? (
        <Wall
          photos={photos}
          picked={selection && selection.ids}
          deeds={deeds}
          loadMore={hasMore ? loadMore : null}
          reveal={viewer.left}
        />
      ) : (
        <div className="card">
          <EmptyState sentence={text.empty}>{uploadLink}</EmptyState>
        </div>
      )}
      {selection && <SelectBar photos={photos.filter(({ id }) => selection.ids.has(id))} onDone={() => select(null)} />}
      {viewer.id !== null && (
        <Suspense>
          <Viewer
            id={viewer.id}
            photos={photos}
            total={total}
            loadMore={hasMore ? loadMore : null}
            showAgain={(id) => decide({ id, decision: 'keep' })}
            onMove={viewer.move}
            onClose={viewer.close}
          />
        </Suspense>
      )}
    </>
  )
}

/** The logo of the user, where the plan has one. */
function Brand() {
  const media = useMediaUrl()
  const address = useCurrentUser().user?.logo_url ?? null
  const source = address && media(address)
  const [broken, setBroken] = useState<string | null>(null)
  if (!source || broken === source) return null
  return <img className="head__logo" src={source} alt="" onError={() => setBroken(source)} />
}

/** What is picked, less what is gone. */
function useSelection(
  photos: readonly Photo[],
): [Selection, (next: Selection | ((now: Selection) => Selection)) => void] {
  const [selection, select] = useState<Selection>(null)
  const there = useMemo(() => new Set(photos.map(({ id }) => id)), [photos])
  return [selection && keepOnly(selection, there), select]
}

/** The number of all photos: those at hand, or what the account says while there are more to load. */
function useTotal(atHand: number, hasMore: boolean): number {
  const { user } = useCurrentUser()
  return hasMore ? Math.max(atHand, user?.photo_count ?? 0) : atHand
}

function useDeeds(photos: readonly Photo[], select: (change: (now: Selection) => Selection) => void): TileDeeds {
  const text = useText({ gallery: words })
  const toast = useToast()
  const { mutate } = useRetryPhoto()
  const order = photos.map(({ id }) => id).join(' ')
  return useMemo(
    () => ({
      addressOf: galleryPhoto,
      pick: (id, range) => select((now) => pick(now ?? noPhotos, id, { order: order.split(' '), range })),
      retry: (id) =>
        mutate(id, { onError: (error) => toast({ text: retryMessage(error, text.errors.retry), tone: 'bad' }) }),
    }),
    [order, select, mutate, toast, text],
  )
}

const retryMessage = (error: Error, otherwise: string): string =>
  (error instanceof ApiError && error.sentence) || otherwise

function useArrivals(newest: Photo | null): void {
  const text = useText({ gallery: words })
  const toast = useToast()
  const media = useMediaUrl()
  useNews(
    newest,
    useCallback(
      (news, { thumbnail_url }) => {
        const picture = thumbnail_url && media(thumbnail_url)
        if (news === 'received') toast({ text: text.received, ...(picture && { picture }) })
      },
      [text, toast, media],
    ),
  )
}

/** The photo that the address names is the one in the viewer. */
function useViewer() {
  const id = photoIn(useSearchParams()[0])
  const { state } = useLocation()
  const navigate = useNavigate()
  const [left, setLeft] = useState<{ id: string } | null>(null)
  return {
    id,
    /** The photo that was looked at last, once the viewer is closed. */
    left: id === null ? left : null,
    move: (next: string) => void navigate(galleryPhoto(next), { replace: true, state: state ?? staying }),
    close() {
      if (id !== null) setLeft({ id })
      // Opened from here: closing is going back. Opened by its address: there is nothing of ours to go back to.
      if (state?.fromWall) void navigate(-1)
      else void navigate(paths.gallery, { replace: true, state: staying })
    },
  }
}
