import { text as before } from '../2026-11-23/privacy-fr.ts'
import { amend } from '../amend.ts'

const security = 'Pour la sécurité des comptes et du service (intérêt légitime)'

/** La politique de confidentialité en français, une traduction. */
export const text = amend(before, ({ values: v }) => ({
  'Ce dont les pages ont besoin':
    'Ce dont les pages ont besoin pour fonctionner est stocké sur votre appareil sans demande préalable, comme la loi le permet. Cela y reste : seuls le jeton de session, la langue et, lorsque vous vous connectez, le cookie device nous sont envoyés.',
  'language (cookie)': [
    ['language (cookie)', 'La langue que vous avez choisie, le cas échéant', `${v.languageDays} jours`],
    [
      'device (cookie)',
      'Reconnaît ce navigateur lorsque vous vous reconnectez, pour que d’autres personnes qui essaient des mots de passe ne vous bloquent pas, et pour que vous soyez averti des connexions depuis d’autres navigateurs. De votre compte, il ne contient qu’une empreinte calculée avec une clé secrète, qui ne permet pas de le reconnaître, et il ne connecte personne',
      `${v.deviceCookieDays} jours après votre dernière connexion, ou jusqu’à ce que vous l’effaciez. Il ne vaut plus rien dès que vous changez de mot de passe`,
    ],
    [
      'unsent-uploads-* (stockage local)',
      'Les noms des photos que vous envoyez, pour qu’après un rechargement vous lisiez lesquelles ne sont pas parties et que celles qui sont arrivées ne soient pas renvoyées',
      'Jusqu’à ce que toutes soient envoyées, que vous fermiez le message ou que vous vous déconnectiez',
    ],
  ],
  '**Messages à l’assistance**': [
    [
      '**Messages à l’assistance** : nom, adresse e-mail, objet, message, votre compte si vous êtes connecté, et des pseudonymes comme ci-dessus, pour IPv6 aussi des deux réseaux plus larges, contre les envois massifs. Ils sont aussi transmis par e-mail aux personnes qui répondent',
      'Pour vous répondre (contrat, intérêt légitime)',
      `${v.supportAnsweredDays} jours après la réponse ; sans réponse ${v.supportOpenDays} jours, ${v.supportSuspectedDays} jours s’ils ressemblent à du spam ; les pseudonymes ${v.requestAttemptDays} jour`,
    ],
  ],
  '**Mots de passe erronés**': [
    [
      '**Mots de passe erronés** : l’adresse e-mail saisie, le nombre de tentatives et, là où vous vous étiez déjà connecté, l’adresse IP ou le numéro aléatoire du navigateur tiré de son cookie device',
      security,
      `${v.passwordAttemptDays} jour après la dernière tentative`,
    ],
  ],
  '**Compteurs**': [
    [
      '**Compteurs** : combien de fois une adresse IP (pour IPv6, un réseau), un navigateur avec un cookie device, un compte ou une clé a appelé une fonction soumise à une limite',
      security,
      `Environ ${v.rateHitMinutes} minutes ; pour les envois de photos, environ ${v.uploadHitMinutes} minutes`,
    ],
  ],
}))
