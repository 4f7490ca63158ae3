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

export type NavItemName = keyof Catalogue['frame']['links']
export interface NavItem {
  name: NavItemName
  path: string
  Icon: LucideIcon | null
}

const icons: Partial<Record<NavItemName, LucideIcon>> = {
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

/** The items of each menu, in order (docs/behaviour.md section 2). */
const menus = {
  signedIn: ['latest', 'gallery', 'upload', 'settings', 'pricing'],
  account: ['profile', 'settings', 'photoRequests', 'insights'],
  signedOut: ['pricing'],
  signedOutPhone: ['pricing', 'login', 'register', 'latest'],
  footer: ['about', 'support', 'privacy', 'terms'],
} as const satisfies Record<string, readonly NavItemName[]>

/** The items of a menu whose pages exist. */
export function navItems(menu: keyof typeof menus, availablePaths: readonly string[]): NavItem[] {
  return menus[menu].flatMap((name: NavItemName) => {
    const path = (paths as Partial<Record<NavItemName, string>>)[name] // not every name has a page yet
    return path !== undefined && availablePaths.includes(path) ? [{ name, path, Icon: icons[name] ?? null }] : []
  })
}
