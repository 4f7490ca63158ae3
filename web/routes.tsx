import { lazy, type ComponentType } from 'react'
import { paths } from './lib/paths.ts'
import type { PageRoute } from './lib/page-route.ts'

const lazyPage = (load: () => Promise<ComponentType>) => lazy(async () => ({ default: await load() }))

/** All pages. The navigation links to these only. */
export const routes: readonly PageRoute[] = [
  {
    path: paths.home,
    Page: lazyPage(async () => (await import('./pages/HomePage.tsx')).HomePage),
    access: 'anyone',
    layout: { className: 'home' },
  },
  {
    path: paths.login,
    Page: lazyPage(async () => (await import('./pages/LoginPage.tsx')).LoginPage),
    access: 'signed-out-return',
    layout: { className: 'auth-page' },
  },
  {
    path: paths.register,
    Page: lazyPage(async () => (await import('./pages/RegisterPage.tsx')).RegisterPage),
    access: 'signed-out-home',
    layout: { className: 'auth-page' },
  },
  {
    path: paths.forgotPassword,
    Page: lazyPage(async () => (await import('./pages/ForgotPasswordPage.tsx')).ForgotPasswordPage),
    access: 'anyone',
    layout: { className: 'auth-page' },
  },
  {
    path: paths.resetPassword,
    Page: lazyPage(async () => (await import('./pages/ResetPasswordPage.tsx')).ResetPasswordPage),
    access: 'anyone',
    layout: { className: 'auth-page' },
  },
  {
    path: paths.verifyEmail,
    Page: lazyPage(async () => (await import('./pages/VerifyEmailPage.tsx')).VerifyEmailPage),
    access: 'anyone',
    layout: { className: 'auth-page' },
  },
  {
    path: paths.latest,
    Page: lazyPage(async () => (await import('./pages/LatestPage.tsx')).LatestPage),
    access: 'signed-in',
    layout: { className: 'latest-page', bigScreen: true },
  },
  {
    path: paths.demoScreen,
    Page: lazyPage(async () => (await import('./pages/DemoScreenPage.tsx')).DemoScreenPage),
    access: 'anyone',
    layout: { className: 'latest-page', bigScreen: true },
  },
  {
    path: paths.gallery,
    Page: lazyPage(async () => (await import('./pages/GalleryPage.tsx')).GalleryPage),
    access: 'anyone',
    layout: { className: 'gallery-page' },
  },
  {
    path: paths.upload,
    Page: lazyPage(async () => (await import('./pages/UploadPage.tsx')).UploadPage),
    access: 'signed-in',
    layout: { className: 'upload-page' },
  },
  {
    path: paths.photoRequests,
    Page: lazyPage(async () => (await import('./pages/PhotoRequestsPage.tsx')).PhotoRequestsPage),
    access: 'signed-in',
    layout: { className: 'requests-page' },
  },
  {
    path: paths.insights,
    Page: lazyPage(async () => (await import('./pages/InsightsPage.tsx')).InsightsPage),
    access: 'signed-in',
    layout: { className: 'insights-page' },
  },
  {
    path: paths.profile,
    Page: lazyPage(async () => (await import('./pages/ProfilePage.tsx')).ProfilePage),
    access: 'anyone',
    layout: { className: 'settings-page' },
  },
  {
    path: paths.settings,
    Page: lazyPage(async () => (await import('./pages/SettingsPage.tsx')).SettingsPage),
    access: 'signed-in',
    layout: { className: 'settings-page' },
  },
  {
    path: paths.pricing,
    Page: lazyPage(async () => (await import('./pages/PricingPage.tsx')).PricingPage),
    access: 'anyone',
    layout: { className: 'pricing-page' },
  },
  {
    path: paths.admin,
    Page: lazyPage(async () => (await import('./pages/AdminPage.tsx')).AdminPage),
    access: 'anyone',
    layout: { className: 'admin-page' },
  },
  {
    path: paths.subscriptionSuccess,
    Page: lazyPage(async () => (await import('./pages/SubscriptionSuccessPage.tsx')).SubscriptionSuccessPage),
    access: 'signed-in',
    layout: { className: 'checkout-page' },
  },
  {
    path: paths.subscriptionCancel,
    Page: lazyPage(async () => (await import('./pages/SubscriptionCancelPage.tsx')).SubscriptionCancelPage),
    access: 'signed-in',
    layout: { className: 'checkout-page' },
  },
]
