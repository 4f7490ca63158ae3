import {
  ChartColumn,
  LayoutGrid,
  LogIn,
  Mail,
  Monitor,
  SlidersHorizontal,
  Tag,
  Upload,
  UserPlus,
  UserRound,
  type LucideIcon,
} from 'lucide-react'
import { paths } from '../../lib/paths.ts'
import type { Catalogue } from '../../messages/en.ts'

/** What a link of the frame may be called. */
export type PlaceName = keyof Catalogue['frame']['links']
export interface Place {
  name: PlaceName
  path: string
  Icon: LucideIcon | null
}

const icons: Partial<Record<PlaceName, LucideIcon>> = {
  latest: Monitor,
  gallery: LayoutGrid,
  upload: Upload,
  settings: SlidersHorizontal,
  pricing: Tag,
  profile: UserRound,
  photoRequests: Mail,
  insights: ChartColumn,
  login: LogIn,
  register: UserPlus,
}

/** Where the frame leads, in order; spec section 2. */
const navigation = {
  signedIn: ['latest', 'gallery', 'upload', 'settings', 'pricing'],
  account: ['profile', 'settings', 'photoRequests', 'insights'],
  signedOut: ['pricing'],
  signedOutPhone: ['pricing', 'login', 'register', 'latest'],
  footer: ['about', 'support', 'privacy', 'terms'],
} as const satisfies Record<string, readonly PlaceName[]>

/** The links of one part of the frame. A name leads somewhere from the day the app has a page at its path. */
export function placesOf(part: keyof typeof navigation, known: readonly string[]): Place[] {
  return navigation[part].flatMap((name: PlaceName) => {
    const path = (paths as Partial<Record<PlaceName, string>>)[name] // not every name has a page yet
    return path !== undefined && known.includes(path) ? [{ name, path, Icon: icons[name] ?? null }] : []
  })
}
