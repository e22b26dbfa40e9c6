// What a scenario of requests is measured against: the same requests in plain C, one after the other, or WIDTH at
// a time.
//
// Each answer is checked as the scenario checks it; the exit code is 1 when one is wrong.
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { greatest_width = 64 };

struct request {
  CURL *easy;
  char body[4096];
  size_t count;
};

static size_t receive(char *bytes, size_t size, size_t count, void *context) {
  struct request *request = context;
  if (size * count >= sizeof request->body - request->count) return 0;
  memcpy(request->body + request->count, bytes, size * count);
  request->count += size * count;
  return size * count;
}

static void prepare(struct request *request, const char *url) {
  request->easy = curl_easy_init();
  request->count = 0;
  curl_easy_setopt(request->easy, CURLOPT_URL, url);
  curl_easy_setopt(request->easy, CURLOPT_WRITEFUNCTION, receive);
  curl_easy_setopt(request->easy, CURLOPT_WRITEDATA, request);
  curl_easy_setopt(request->easy, CURLOPT_PRIVATE, request);
}

static void check(struct request *request, CURLcode result) {
  long status = 0;
  curl_easy_getinfo(request->easy, CURLINFO_RESPONSE_CODE, &status);
  request->body[request->count] = 0;
  if (result != CURLE_OK || status != 200 || !strstr(request->body, "\"id\":7")) exit(1);
  request->count = 0;
}

static void get(const char *url, int count) {
  struct request request;
  prepare(&request, url);
  for (int number = 0; number < count; number++) check(&request, curl_easy_perform(request.easy));
  curl_easy_cleanup(request.easy);
}

// Takes what has ended, and begins as many anew; answers how many have ended.
static int go_on(CURLM *multi, int *left) {
  CURLMsg *message;
  int ended = 0, queued;
  while ((message = curl_multi_info_read(multi, &queued))) {
    if (message->msg != CURLMSG_DONE) continue;
    struct request *request = NULL;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &request);
    check(request, message->data.result);
    curl_multi_remove_handle(multi, request->easy);
    if (*left > 0) curl_multi_add_handle(multi, request->easy);
    *left -= 1;
    ended += 1;
  }
  return ended;
}

static void get_many(const char *url, int count, int width) {
  static struct request requests[greatest_width];
  CURLM *multi = curl_multi_init();
  if (width > greatest_width || width > count) exit(2);
  for (int place = 0; place < width; place++) {
    prepare(&requests[place], url);
    curl_multi_add_handle(multi, requests[place].easy);
  }
  int left = count - width, ended = 0, running;
  while (ended < count) {
    curl_multi_perform(multi, &running);
    int more = go_on(multi, &left);
    ended += more;
    if (more == 0) curl_multi_poll(multi, NULL, 0, 1000, NULL);
  }
}

int main(int count, char **arguments) {
  curl_global_init(CURL_GLOBAL_ALL);
  if (count == 3) {
    get(arguments[1], atoi(arguments[2]));
  } else if (count == 4) {
    get_many(arguments[1], atoi(arguments[2]), atoi(arguments[3]));
  } else {
    fprintf(stderr, "usage: requests URL COUNT [WIDTH]\n");
    return 64;
  }
  return 0;
}
