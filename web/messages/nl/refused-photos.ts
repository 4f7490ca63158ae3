import type { refusedPhotos as english } from '../en/refused-photos.ts'

export const refusedPhotos: typeof english = {
  // Photos and uploads.
  'This photo does not exist.': 'Deze foto bestaat niet.',
  'Photo not found': 'Deze foto is er niet meer',
  'No photos found. Upload your first photo!': 'Geen foto’s gevonden. Upload je eerste foto!',
  'This photo does not exist or is no longer shared.': 'Deze foto bestaat niet of wordt niet meer gedeeld.',
  'This file is not a photo we can read. Please choose a JPG, PNG, GIF, WebP, AVIF, TIFF or HEIC image.':
    'We kunnen dit bestand niet als foto lezen. Kies een JPG, PNG, GIF, WebP, AVIF, TIFF of HEIC.',
  'This file is not a photo we can read. Please upload a JPG, PNG, GIF, WebP, AVIF, TIFF or HEIC image.':
    'We kunnen dit bestand niet als foto lezen. Upload een JPG, PNG, GIF, WebP, AVIF, TIFF of HEIC.',
  'This file is empty. Please choose another one.': 'Dit bestand is leeg. Kies een ander.',
  'This image has more than {} megapixels, which is more than we can process. Please make it smaller and try again.':
    'Deze afbeelding heeft meer dan {0} megapixels, en dat is meer dan we kunnen verwerken. Verklein de afbeelding en probeer het opnieuw.',
  'This image has more than {} megapixels, which is more than we can process. Please make it smaller and upload it again.':
    'Deze afbeelding heeft meer dan {0} megapixels, en dat is meer dan we kunnen verwerken. Verklein de afbeelding en upload die opnieuw.',
  'This file is compressed or coloured in a way that is not supported. Please save it as JPG or PNG and upload it again.':
    'De compressie of kleuren van dit bestand worden niet ondersteund. Sla het op als JPG of PNG en upload het opnieuw.',
  'This animation is too long or too large. We can process up to {} frames, and {} megapixels over all frames. Please shorten it or make it smaller, and upload it again.':
    'Deze animatie is te lang of te groot. We kunnen hooguit {0} beelden verwerken, samen {1} megapixels. Maak de animatie korter of kleiner, en upload die opnieuw.',
  "We couldn't add your logo to this photo. Please upload the logo again in Settings, then retry the photo.":
    'We konden je logo niet op deze foto zetten. Upload het logo opnieuw bij Instellingen en probeer de foto daarna opnieuw.',
  'This SVG contains scripts, links, other files or embedded images. Please save it as a plain SVG or as PNG and upload it again.':
    'Deze SVG bevat scripts, links, andere bestanden of ingesloten afbeeldingen. Sla hem op als gewone SVG of als PNG en upload hem opnieuw.',
  'This SVG could not be rendered: it is damaged or too large for a logo. Please save it again, or as PNG, and upload it again.':
    'Deze SVG kan niet worden weergegeven: hij is beschadigd of te groot voor een logo. Sla hem opnieuw op, of als PNG, en upload hem opnieuw.',
  'This photo is damaged or incomplete. Please upload the original file again.':
    'Deze foto is beschadigd of onvolledig. Upload het originele bestand opnieuw.',
  'This photo took too long to process. Please save it again in a photo editor, or make it smaller, and upload it again.':
    'Het verwerken van deze foto duurde te lang. Sla hem opnieuw op in een fotoprogramma, of maak hem kleiner, en upload hem opnieuw.',
  'This photo needs too much memory to process. Please save it again in a photo editor, or make it smaller, and upload it again.':
    'Het verwerken van deze foto vraagt te veel geheugen. Sla hem opnieuw op in een fotoprogramma, of maak hem kleiner, en upload hem opnieuw.',
  'Something went wrong while processing this photo. Please upload it again.':
    'Er ging iets mis bij het verwerken van deze foto. Upload hem opnieuw.',
  'This file is larger than {} MB, the limit of your plan, {}. Reduce its size and try again.':
    'Dit bestand is groter dan {0} MB, de limiet van je abonnement ({1}). Maak het kleiner en probeer het opnieuw.',
  "Your plan, {}, includes {} photos a month, and you've used them all. The next month starts on the 1st (UTC). Upgrade for more.":
    'Je abonnement ({0}) omvat {1} foto’s per maand, en die heb je allemaal gebruikt. De volgende maand begint op de 1e (UTC). Upgrade voor meer.',
  "Your plan, {}, includes {} photos a month, and you've used them all. The next month starts on the 1st (UTC). Please contact us if you need more.":
    'Je abonnement ({0}) omvat {1} foto’s per maand, en die heb je allemaal gebruikt. De volgende maand begint op de 1e (UTC). Neem contact met ons op als je er meer nodig hebt.',
  'Your plan, {}, includes {} GB of storage, and this photo no longer fits. Delete photos you no longer need. Upgrade for more.':
    'Je abonnement ({0}) omvat {1} GB opslag, en deze foto past er niet meer bij. Verwijder foto’s die je niet meer nodig hebt, of upgrade voor meer.',
  'Your plan, {}, includes {} GB of storage, and this photo no longer fits. Delete photos you no longer need. Please contact us if you need more.':
    'Je abonnement ({0}) omvat {1} GB opslag, en deze foto past er niet meer bij. Verwijder foto’s die je niet meer nodig hebt, of neem contact met ons op als je meer nodig hebt.',
  'Many of your files that take long to process are waiting. Please upload this one again in a minute. Ordinary JPEG photos are still accepted.':
    'Er wachten veel bestanden van jou waarvan de verwerking lang duurt. Upload dit bestand over een minuut opnieuw. Gewone JPEG-foto’s kunnen wel.',
  'Today, photos of yours that could not be processed took {} minutes, which is the limit. Please upload this one tomorrow (UTC).':
    'Foto’s van jou die niet verwerkt konden worden, duurden vandaag samen {0} minuten. Dat is de limiet. Upload deze foto morgen (UTC).',
  'Too many uploads at once. Please wait for the others to finish.':
    'Te veel uploads tegelijk. Wacht tot de andere klaar zijn.',
  'Too many changes at once. Please wait for the others to finish.':
    'Te veel wijzigingen tegelijk. Wacht tot de andere klaar zijn.',
  'The upload took too long. Please try again.': 'Het uploaden duurde te lang. Probeer het opnieuw.',
  'The upload was too slow and was cancelled. Please try again on a better connection.':
    'Het uploaden ging te traag en is gestopt. Probeer het opnieuw met een betere verbinding.',
  'The connection closed before the upload finished.': 'De verbinding werd verbroken voordat het uploaden klaar was.',
  'This photo was already uploaded and has since been deleted.': 'Deze foto was al geüpload en is intussen verwijderd.',
  'Only photos whose processing failed can be retried.':
    'Alleen foto’s waarvan de verwerking mislukte, kunnen opnieuw geprobeerd worden.',
  'The uploaded file has been deleted. Please upload it again.':
    'Het geüploade bestand is verwijderd. Upload het opnieuw.',
  'Only a photo of yours that guests can see can be held.':
    'Je kunt alleen een eigen foto vasthouden die gasten kunnen zien.',
  'Your removed photos do not fit into the storage of your plan. Choose a larger plan, or delete photos you no longer need.':
    'Je verwijderde foto’s passen niet in de opslag van je abonnement. Kies een groter abonnement, of verwijder foto’s die je niet meer nodig hebt.',
  'There are no removed photos to put back.': 'Er zijn geen verwijderde foto’s om terug te zetten.',
  // Logo, background and watermark.
  'Your own logo and background are part of {}. Your plan is {}.':
    'Je eigen logo en achtergrond horen bij Pro. Jouw abonnement is {1}.',
  'This file is not an image we can read. Please choose a {} file.':
    'We kunnen dit bestand niet als afbeelding lezen. Kies een ander bestand ({0}).',
  'This file is larger than 10 MB. Reduce its size and try again.':
    'Dit bestand is groter dan 10 MB. Maak het kleiner en probeer het opnieuw.',
  'This is taking too long right now. Please try again.': 'Dit duurt nu te lang. Probeer het opnieuw.',
  'Something went wrong. Please upload it again.': 'Er ging iets mis. Upload het opnieuw.',
  'There is no {} to delete.': 'Er is niets om te verwijderen.',
  'Upload a logo first.': 'Upload eerst een logo.',
  'Your photos are already being processed. Wait for that to finish, or stop it.':
    'Je foto’s worden al verwerkt. Wacht tot dat klaar is, of stop het.',
  'There is no logo yet. Upload one to see it on a photo.':
    'Er is nog geen logo. Upload er een om het op een foto te zien.',
  'There is no photo yet. Upload one to see your logo on it.':
    'Er is nog geen foto. Upload er een om je logo erop te zien.',
  'The preview is taking too long right now. Please try again.': 'Het voorbeeld duurt nu te lang. Probeer het opnieuw.',
  'This photo no longer exists.': 'Deze foto bestaat niet meer.',
  'A preview is already in progress. Please wait for it.': 'Er wordt al een voorbeeld gemaakt. Wacht daar even op.',
}
