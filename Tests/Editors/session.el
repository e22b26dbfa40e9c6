;;; session.el --- A session of Emacs with `flow lsp', in a folder of its own.  -*- lexical-binding: t -*-
;;   FLOW=path/to/flow emacs -Q --batch -l session.el
(require 'eglot)
(require 'flymake)

(defvar flow-program (getenv "FLOW"))
(define-derived-mode flow-mode text-mode "Flow")
(setq eglot-sync-connect 20
      eglot-confirm-server-initiated-edits nil
      eglot-send-changes-idle-time 0)

(defun flow-write (path text)
  (make-directory (or (file-name-directory path) ".") t)
  (write-region text nil path nil 'quiet))

(defvar flow-project (cons 'transient default-directory))
(setq project-find-functions (list (lambda (_) flow-project)))

(defun flow-open (path)
  (find-file path)
  (flow-mode)
  (unless (eglot-current-server)
    (eglot '(flow-mode) flow-project 'eglot-lsp-server (list flow-program "lsp") "flow")))

(defun flow-check (what condition)
  (if condition (message "ok: %s" what) (error "%s: %s" what (buffer-string))))

(defun flow-request (method params)
  (eglot--signal-textDocument/didChange)
  (jsonrpc-request (eglot--current-server-or-lose) method params :timeout 20))

(defun flow-place () (eglot--TextDocumentPositionParams))

(defun flow-complete (label)
  "Take the proposal LABEL at the end of the buffer."
  (goto-char (point-max))
  (let* ((list (flow-request :textDocument/completion (flow-place)))
         (item (seq-find (lambda (item) (equal (plist-get item :label) label))
                         (plist-get list :items))))
    (unless item (error "no proposal %s" label))
    (eglot--apply-text-edits (vector (plist-get item :textEdit)))
    (goto-char (point-max))))

(defun flow-at (text)
  (goto-char (point-min))
  (search-forward text))

(flow-write "flow.yaml" "flow: 1\n")
(flow-write "main.yaml" "flow: 1
components:
  balance: {plugin: balance, with: {opening: 100.00}}
steps:
  - id: load
    uses: balance.load
    expect: {balance: 100.00}
  - scenario: parts/spend.yaml
    with: {amount: 12.50}
")
(flow-write "parts/spend.yaml" "flow: 1
inputs:
  amount: {type: decimal}
steps:
  - assert: ${{ inputs.amount > 0 }}
")
(unless (zerop (call-process flow-program nil nil nil "run" "main.yaml" "--record" "--quiet"))
  (error "it does not run"))
(flow-open (expand-file-name "main.yaml"))

(goto-char (point-max))
(insert "  ")
(flow-complete "- uses")
(flow-complete "balance.subtract")
(insert "\n    ")
(flow-complete "with")
(insert "\n      ")
(flow-complete "amount")
(insert "10.00\n")
(flow-check "typed a step"
            (string-match-p "  - uses: balance.subtract\n    with:\n      amount: 10.00"
                            (buffer-string)))

(goto-char (point-max))
(insert "  - uses: balance.lod\n")
(flow-at "balance.lod")
(let* ((place (plist-get (flow-place) :position))
       (actions (flow-request
                 :textDocument/codeAction
                 (list :textDocument (eglot--TextDocumentIdentifier)
                       :range (list :start place :end place)
                       :context (list :diagnostics [])))))
  (eglot--apply-workspace-edit (plist-get (aref actions 0) :edit)))
(flow-check "fixed a typo" (not (string-match-p "balance.lod$" (buffer-string))))

(flow-at "id: lo")
(let ((hover (flow-request :textDocument/hover (flow-place))))
  (flow-check "hovered over a recorded value"
              (string-match-p "Recorded: `?{\"balance\":\"100.00\"}`?$"
                              (plist-get (plist-get hover :contents) :value))))

(flow-at "parts/sp")
(let* ((location (flow-request :textDocument/definition (flow-place)))
       (path (eglot--uri-to-path (plist-get location :uri))))
  (flow-open path))
(flow-check "jumped into another scenario" (string-suffix-p "parts/spend.yaml" buffer-file-name))

(flow-at "  am")
(let ((edit (flow-request :textDocument/rename (append (flow-place) '(:newName "sum")))))
  (eglot--apply-workspace-edit edit))
(flow-check "renamed here" (string-match-p "inputs.sum > 0" (buffer-string)))
(find-file (expand-file-name "main.yaml" (cdr flow-project)))
(flow-check "renamed over two files" (string-match-p "with: {sum: 12.50}" (buffer-string)))

(dolist (buffer (buffer-list))
  (with-current-buffer buffer (set-buffer-modified-p nil)))
(kill-emacs 0)
