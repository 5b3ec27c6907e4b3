// The server's own description of its API. A token that is typed in stays in the page.
window.SwaggerUIBundle({
  dom_id: '#reference',
  url: '/api/v2/openapi.json',
  docExpansion: 'none',
  filter: true,
  tagsSorter: 'alpha',
  defaultModelsExpandDepth: -1,
  persistAuthorization: false,
  validatorUrl: null,
});
