#include "Server.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { leaves_at_most = 1000, pcert_room = 64 };

typedef struct leaf {
  struct leaf *next;
  char *host;
  void *certificate;
  /// A gnutls_pcert_st, which is smaller.
  uint64_t pcert[pcert_room / 8];
} leaf;

struct flow_authority {
  const flow_gnutls *gnutls;
  void *key, *certificate, *credentials;
  /// One key of all hosts: its making takes longer than a certificate.
  void *host_key, *host_private_key;
  gnutls_datum text;
  /// Guards the leaves, for servers with one authority.
  pthread_mutex_t mutex;
  leaf *leaves;
  size_t leaf_count;
};

// MARK: - Certificates

static bool set_names(const flow_authority *authority, void *made, const char *host) {
  const flow_gnutls *gnutls = authority->gnutls;
  unsigned char address[16], id[64];
  size_t id_count = sizeof id;
  int result = gnutls->x509_crt_set_key_usage(made, gnutls_use_signatures)
    | gnutls->x509_crt_set_key_purpose_oid(made, "1.3.6.1.5.5.7.3.1", 0)
    | gnutls->x509_crt_get_key_id(authority->certificate, 0, id, &id_count)
    | gnutls->x509_crt_set_authority_key_id(made, id, id_count);
  if (inet_pton(AF_INET, host, address) == 1) {
    return !(result | gnutls->x509_crt_set_subject_alt_name(made, gnutls_name_address, address, 4, 0));
  }
  if (inet_pton(AF_INET6, host, address) == 1) {
    return !(result | gnutls->x509_crt_set_subject_alt_name(made, gnutls_name_address, address, 16, 0));
  }
  return !(result | gnutls->x509_crt_set_subject_alt_name(made, gnutls_name_dns, host, (unsigned)strlen(host), 0));
}

static bool fill(const flow_authority *authority, void *made, const char *name, bool is_authority) {
  const flow_gnutls *gnutls = authority->gnutls;
  unsigned char serial[16], id[64];
  size_t id_count = sizeof id;
  time_t now = time(NULL);
  void *key = is_authority ? authority->key : authority->host_key;
  if (gnutls->rnd(gnutls_random_nonce, serial, sizeof serial)) return false;
  // A positive number without leading zeros.
  serial[0] = (serial[0] & 0x3F) | 0x40;
  size_t name_count = strlen(name) < 64 ? strlen(name) : 64;
  return !(gnutls->x509_crt_set_version(made, 3)
    | gnutls->x509_crt_set_serial(made, serial, sizeof serial)
    // The clocks of containers differ, and a run may last some days.
    | gnutls->x509_crt_set_activation_time(made, now - 86400)
    | gnutls->x509_crt_set_expiration_time(made, now + 30 * 86400)
    | gnutls->x509_crt_set_dn_by_oid(made, "2.5.4.3", 0, name, (unsigned)name_count)
    | gnutls->x509_crt_set_key(made, key)
    | gnutls->x509_crt_set_basic_constraints(made, is_authority, is_authority ? 0 : -1)
    | gnutls->x509_crt_get_key_id(made, 0, id, &id_count)
    | gnutls->x509_crt_set_subject_key_id(made, id, id_count));
}

static void *make(const flow_authority *authority, const char *name, bool is_authority) {
  const flow_gnutls *gnutls = authority->gnutls;
  void *made = NULL;
  if (gnutls->x509_crt_init(&made)) return NULL;
  bool is_made = fill(authority, made, name, is_authority)
    && (is_authority ? !gnutls->x509_crt_set_key_usage(made, gnutls_use_signing_certificates)
                     : set_names(authority, made, name))
    && !gnutls->x509_crt_sign2(
      made, is_authority ? made : authority->certificate, authority->key, gnutls_sha256, 0);
  if (is_made) return made;
  gnutls->x509_crt_deinit(made);
  return NULL;
}

// MARK: - Hosts

// `host:port`, `[::1]:port`, or a host alone.
static bool copy_name(const char *host, char name[300]) {
  bool has_brackets = host[0] == '[';
  size_t count = strcspn(host += has_brackets, has_brackets ? "]" : ":");
  if (!count || count >= 300) return false;
  memcpy(name, host, count);
  name[count] = 0;
  return true;
}

static leaf *new_leaf(flow_authority *authority, const char *name) {
  leaf *made = calloc(1, sizeof *made);
  if (!made) return NULL;
  made->host = strdup(name);
  made->certificate = make(authority, name, false);
  if (made->host && made->certificate
      && !authority->gnutls->pcert_import_x509(made->pcert, made->certificate, 0)) {
    return made;
  }
  if (made->certificate) authority->gnutls->x509_crt_deinit(made->certificate);
  free(made->host);
  free(made);
  return NULL;
}

static void *find_leaf(flow_authority *authority, const char *name) {
  for (leaf *known = authority->leaves; known; known = known->next) {
    if (!strcasecmp(known->host, name)) return known->pcert;
  }
  leaf *made = authority->leaf_count < leaves_at_most ? new_leaf(authority, name) : NULL;
  if (!made) return NULL;
  made->next = authority->leaves;
  authority->leaves = made;
  authority->leaf_count++;
  return made->pcert;
}

// The function that chooses has no context but a session, so this is the same in all of the process.
static void *(*get_pointer)(void *session);

static void note_library(const flow_gnutls *gnutls) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  if (!get_pointer) get_pointer = gnutls->session_get_ptr;
  pthread_mutex_unlock(&mutex);
}

static int choose(
  void *session, const gnutls_datum *names, int name_count, const int *algorithms, int count,
  void **certificates, unsigned *certificate_count, void **key) {
  (void)names, (void)name_count, (void)algorithms, (void)count;
  void *pointer = get_pointer(session);
  flow_authority *authority = flow_handshake_authority(pointer);
  char name[300];
  if (!copy_name(flow_handshake_host(pointer), name)) return -1;
  pthread_mutex_lock(&authority->mutex);
  *certificates = find_leaf(authority, name);
  pthread_mutex_unlock(&authority->mutex);
  *certificate_count = 1;
  *key = authority->host_private_key;
  return *certificates ? 0 : -1;
}

// MARK: - Life

static bool make_keys(flow_authority *authority) {
  const flow_gnutls *gnutls = authority->gnutls;
  return !gnutls->x509_privkey_init(&authority->key)
    && !gnutls->x509_privkey_generate(authority->key, gnutls_ecdsa, (unsigned)gnutls_curve_p256, 0)
    && !gnutls->x509_privkey_init(&authority->host_key)
    && !gnutls->x509_privkey_generate(authority->host_key, gnutls_ecdsa, (unsigned)gnutls_curve_p256, 0)
    && !gnutls->privkey_init(&authority->host_private_key)
    && !gnutls->privkey_import_x509(authority->host_private_key, authority->host_key, 0);
}

static bool make_credentials(flow_authority *authority) {
  const flow_gnutls *gnutls = authority->gnutls;
  note_library(gnutls);
  if (gnutls->certificate_allocate_credentials(&authority->credentials)) return false;
  gnutls->certificate_set_retrieve_function2(authority->credentials, choose);
  return true;
}

const flow_gnutls *flow_authority_gnutls(const flow_authority *authority) { return authority->gnutls; }

void *flow_authority_credentials(const flow_authority *authority) { return authority->credentials; }

flow_authority *flow_authority_new(const flow_gnutls *gnutls) {
  flow_authority *authority = calloc(1, sizeof *authority);
  if (!authority) return NULL;
  authority->gnutls = gnutls;
  pthread_mutex_init(&authority->mutex, NULL);
  if (make_keys(authority)) authority->certificate = make(authority, "flow: authority of one run", true);
  if (authority->certificate && make_credentials(authority)
      && !gnutls->x509_crt_export2(authority->certificate, gnutls_pem, &authority->text)) {
    return authority;
  }
  flow_authority_free(authority);
  return NULL;
}

void flow_authority_free(flow_authority *authority) {
  const flow_gnutls *gnutls = authority->gnutls;
  for (leaf *each = authority->leaves, *next; each; each = next) {
    next = each->next;
    gnutls->pcert_deinit(each->pcert);
    gnutls->x509_crt_deinit(each->certificate);
    free(each->host);
    free(each);
  }
  if (authority->credentials) gnutls->certificate_free_credentials(authority->credentials);
  if (authority->text.data) (*gnutls->free)(authority->text.data);
  if (authority->certificate) gnutls->x509_crt_deinit(authority->certificate);
  if (authority->host_private_key) gnutls->privkey_deinit(authority->host_private_key);
  if (authority->host_key) gnutls->x509_privkey_deinit(authority->host_key);
  if (authority->key) gnutls->x509_privkey_deinit(authority->key);
  pthread_mutex_destroy(&authority->mutex);
  free(authority);
}

flow_span flow_authority_certificate(const flow_authority *authority) {
  return (flow_span){authority->text.data, authority->text.size};
}
