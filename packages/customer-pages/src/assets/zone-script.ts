/**
 * Shows free times on the clocks of the browser where nobody has chosen a zone yet. Runs in browsers as it stands, therefore
 * plain and old words.
 */
export const zoneScript = `(function () {
  'use strict';
  var select = document.getElementById('zone');
  if (select === null || !select.hasAttribute('data-unknown')) return;
  // A zone that the address names and the server does not know is not told again, or the page would come again for ever.
  if (/[?&]zone=/.test(location.search)) return;
  var zone = '';
  try {
    zone = Intl.DateTimeFormat().resolvedOptions().timeZone || '';
  } catch (error) {
    // Without a zone the page shows that of the appointment.
  }
  if (zone === '' || zone === select.value) return;
  location.replace(location.pathname + location.search + '&zone=' + encodeURIComponent(zone));
})();
`;
